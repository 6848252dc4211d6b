// Runs the benchmarks from their sources with plain Node: a test runner's module wrapper would slow kernels 15 times.
//
//   npm run bench                  all of them
//   npm run bench -- chain kernels those whose file name contains one of the words, in the order of the words
//   npm run bench -- soak --answers 400 passes what begins with dashes on to the files
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { PrepareError, prepare } from './prepare.mjs'

try {
  prepare({ engine: true }) // several start the built service
} catch (error) {
  if (!(error instanceof PrepareError)) throw error
  console.error(error.message)
  process.exit(1)
}
const given = process.argv.slice(2)
const firstOption = given.findIndex((word) => word.startsWith('--'))
const options = firstOption < 0 ? [] : given.slice(firstOption)
const named = given.slice(0, given.length - options.length)
const words = named.length > 0 ? named : ['']
const all = readdirSync('bench').filter((file) => file.endsWith('.ts'))
const files = new Set(words.flatMap((word) => all.filter((file) => file.includes(word))))
// One process a file: the kernels of one must not be compiled for the data of another. The room for short-lived objects
// is that of the service's workers, see src/workers/pool.ts.
const flags = ['--import', './scripts/typescript.mjs', '--max-semi-space-size=64']
for (const file of files) {
  const { status } = spawnSync(process.execPath, [...flags, `bench/${file}`, ...options], { stdio: 'inherit' })
  if (status === 0) continue
  console.error(`bench/${file} failed`)
  process.exitCode = 1
}
