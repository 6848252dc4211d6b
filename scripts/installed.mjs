#!/usr/bin/env node
// The command of the installed package, `npx gammawall`. Without the name of a command it serves, as `npm start` does in a
// checkout. The engine of the history lies in the cache folder of the user, so that versions of this package share it.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { engineVersion } from './engine.mjs'

const { env, platform, execPath } = process
const args = process.argv.slice(2)
const wantsNoService = /^(--help|-h|--version|-v)$/
if (args.length === 0 || (args[0].startsWith('-') && !wantsNoService.test(args[0]))) args.unshift('serve')

env.GAMMAWALL_ENGINE_FOLDER ||= join(cacheFolder(), 'gammawall', `engine-${engineVersion() ?? 'none'}`)

// The memory settings of `npm start` must be in the environment before the process begins. Node 22.15 and later can begin
// anew in place; with an earlier version the service runs as well and uses more memory.
const memory = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144' }
if (platform === 'linux' && process.execve !== undefined && env.MALLOC_ARENA_MAX === undefined) {
  const program = fileURLToPath(import.meta.url)
  process.execve(execPath, [execPath, ...process.execArgv, '--enable-source-maps', program, ...args], {
    ...memory,
    ...env
  })
}
process.setSourceMapsEnabled(true)
process.argv.splice(2, Number.POSITIVE_INFINITY, ...args)
await import('./gammawall.mjs')

/** The folder in which programs of this user keep what they can fetch again. */
function cacheFolder() {
  if (platform === 'win32' && env.LOCALAPPDATA) return env.LOCALAPPDATA
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches')
  return env.XDG_CACHE_HOME || join(homedir(), '.cache')
}
