// The command line, run from its sources: nothing is built, and a debugger sees the files as they lie there.
//
//   npm run dev -- serve --universe SPY
import { main } from '../src/cli/main.ts'

process.exitCode = await main(process.argv.slice(2))
