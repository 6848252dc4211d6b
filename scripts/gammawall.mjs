// The command line of a checkout: makes it ready to run, then runs the built program in this very process, so that
// signals and the exit code are its own.
import { needsEngine } from './engine.mjs'
import { PrepareError, prepare } from './prepare.mjs'

try {
  prepare({ engine: needsEngine(process.argv.slice(2), process.env) })
  const { main } = await import('../dist/program/cli/main.js')
  process.exitCode = await main(process.argv.slice(2))
  // Everything is closed by now. Should something still hold the process, it is let go; output has had time to drain.
  setTimeout(() => process.exit(), 2000).unref()
} catch (error) {
  process.stderr.write(`${error instanceof PrepareError ? error.message : (error.stack ?? error)}\n`)
  process.exitCode = 1
}
