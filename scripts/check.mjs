// Everything CI checks: format, lint and types beside the tests, which wait for programs a third of their time.
//
//   npm test                            all of it
//   npm test -- --project fast        lint, types and the fast tests
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { fetchNodes } from './nodes.mjs'
import { PrepareError, prepare } from './prepare.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
// The compiler checks on several threads unless told otherwise. Each thread resolves the shared types anew, which doubles the
// CPU time, and here the other cores are busy with tests.
const types = (project) => ['tsc', '-p', project, '--noEmit', '--singleThreaded']
const quick = [
  ['format and lint', 'biome', 'check', '.'],
  ['types', ...types('tsconfig.json')],
  ['types of the dashboard', ...types('dashboard/tsconfig.json')]
]

try {
  prepare({ engine: true })
  fetchNodes(root, (text) => console.error(`gammawall: ${text}`))
} catch (error) {
  if (!(error instanceof PrepareError)) throw error
  console.error(error.message)
  process.exit(1)
}
const tests = run('tests', 'vitest', 'run', ...process.argv.slice(2))
const failed = []
for (const [name, ...command] of quick) if (!(await run(name, ...command))) failed.push(name)
if (!(await tests)) failed.push('tests')
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0

/** Runs a program of the packages; says at its end how long it took. Resolves to whether it succeeded. */
function run(name, program, ...args) {
  const startedAt = performance.now()
  const child = spawn(`node_modules/.bin/${program}`, args, { cwd: root, stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      console.log(`${name}: ${code === 0 ? 'passed' : 'failed'} in ${seconds} s`)
      resolve(code === 0)
    })
  })
}
