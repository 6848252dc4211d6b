// Everything CI checks, in the order that fails soonest: format and lint, types, tests against the built program.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { fetchNodes } from './nodes.mjs'
import { PrepareError, prepare } from './prepare.mjs'

const bin = (name) => `node_modules/.bin/${name}`
const steps = [
  ['format and lint', bin('biome'), ['check', '.']],
  ['types', bin('tsc'), ['-p', 'tsconfig.json', '--noEmit']],
  // The pages know the service by the declarations of its client alone.
  ['declarations of the client', bin('tsc'), ['-p', 'tsconfig.client.json']],
  ['types of the dashboard', bin('tsc'), ['-p', 'dashboard/tsconfig.json', '--noEmit']],
  ['tests', bin('vitest'), ['run', ...process.argv.slice(2)]]
]

try {
  prepare({ engine: true })
  fetchNodes(fileURLToPath(new URL('../', import.meta.url)), (text) => console.error(`gammawall: ${text}`))
} catch (error) {
  if (!(error instanceof PrepareError)) throw error
  console.error(error.message)
  process.exit(1)
}
for (const [name, command, args] of steps) {
  const startedAt = performance.now()
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  console.log(
    `${name}: ${status === 0 ? 'passed' : 'failed'} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`
  )
  if (status !== 0) process.exit(status ?? 1)
}
