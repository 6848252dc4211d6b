#!/usr/bin/env node
// The command of the installed package, `npx gammawall`. Without the name of a command it serves, as `npm start` does in a
// checkout. The engine of the history lies in the cache folder of the user, so that versions of this package share it.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beginWithAllocator, serviceFlags } from './allocator.mjs'
import { engineVersion } from './engine.mjs'

const { env, platform } = process
const args = process.argv.slice(2)
const wantsNoService = /^(--help|-h|--version|-v)$/
if (args.length === 0 || (args[0].startsWith('-') && !wantsNoService.test(args[0]))) args.unshift('serve')

env.GAMMAWALL_ENGINE_FOLDER ||= join(cacheFolder(), 'gammawall', `engine-${engineVersion() ?? 'none'}`)

// Before Node 22.15 the service runs as well and uses more memory.
beginWithAllocator(fileURLToPath(import.meta.url), args, args[0] === 'serve' ? serviceFlags : [])
process.argv.splice(2, Number.POSITIVE_INFINITY, ...args)
await import('./gammawall.mjs')

/** The folder in which programs of this user keep what they can fetch again. */
function cacheFolder() {
  if (platform === 'win32' && env.LOCALAPPDATA) return env.LOCALAPPDATA
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches')
  return env.XDG_CACHE_HOME || join(homedir(), '.cache')
}
