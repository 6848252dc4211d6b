// The command line: makes a checkout ready to run, then runs the built program in this very process, so that
// signals and the exit code are its own. Of an installed package, scripts/installed.mjs comes before it.
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { beginWithAllocator, serviceFlags } from './allocator.mjs'
import { needsEngine } from './engine.mjs'
import { mappedStack } from './mapped-stack.mjs'
import { PrepareError, prepare } from './prepare.mjs'

const [command] = process.argv.slice(2)
if (command === 'serve') beginWithAllocator(fileURLToPath(import.meta.url), process.argv.slice(2), serviceFlags)

try {
  prepare({ engine: needsEngine(process.argv.slice(2), process.env) })
  // Node 22 and later keep what V8 compiled; threads find the place in the environment. Node 20 starts without.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../dist/.compiled', import.meta.url))
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE)
  // A command looks the sources up when it has an error to show. A service and its threads write theirs to a log.
  if (command === 'serve') process.setSourceMapsEnabled(true)
  else Error.prepareStackTrace = (error, sites) => mappedStack([error, ...sites].join('\n    at '))
  const { main } = await import('../dist/program/cli/main.js')
  process.exitCode = await main(process.argv.slice(2))
  // Everything is closed by now. Should something still hold the process, it is let go; output has had time to drain.
  setTimeout(() => process.exit(), 2000).unref()
} catch (error) {
  process.stderr.write(`${error instanceof PrepareError ? error.message : (error.stack ?? error)}\n`)
  process.exitCode = 1
}
