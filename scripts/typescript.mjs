// Lets Node run the TypeScript sources as they lie there, also before Node 22.18, which does it by itself:
//
//   node --import ./scripts/typescript.mjs src/cli/main.ts serve
//
// Types are overwritten with spaces, so that every line and column stays where it is: stack traces, breakpoints and
// profiles need no source map.
import { register } from 'node:module'

if (!process.features.typescript) register('./typescript-hooks.mjs', import.meta.url)
