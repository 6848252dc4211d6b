// Runs one of the long trials of trials/ against the built service:
//
//   npm run fuzz -- --requests 200000 --seed 7     hostile requests to all three hosts
//   npm run kill -- --rounds 100                   kill -9 under load, again and again on one data folder
//   npm run cluster -- --only races              several services over one PostgreSQL server, in their own processes
//   npm run manners -- --polls 12               bad manners of an exchange, in process
//
// Each prints what it met and exits with 1 on a fault.
import './typescript.mjs'
import { PrepareError, prepare } from './prepare.mjs'

try {
  prepare({ engine: true })
  const [name, ...args] = process.argv.slice(2)
  const { main } = await import(`../trials/${name}.ts`)
  process.exitCode = await main(args)
} catch (error) {
  console.error(error instanceof PrepareError ? error.message : error)
  process.exitCode = 1
}
