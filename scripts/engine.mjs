// Fetches the engine that keeps history, ClickHouse as a library of this process. It is 540 MB and exists for some
// platforms only, so it stands in no package list: it is fetched once, apart from the other packages, into a folder
// that an installation of those leaves alone. The service runs without it.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canFetch, npm } from './npm.mjs'

const VERSION = '3.4.0'
const FOLDER = '.engine'
const COMMANDS = ['serve', 'import', 'export', 'backfill']

/** Whether a command line uses history, and by the engine: not with `--history off` or an address. */
export function needsEngine([command, ...flags], env) {
  const isAccuracy = command === 'history' && flags[0] === 'accuracy'
  if (!(COMMANDS.includes(command) || isAccuracy) || flags.includes('--help')) return false
  let history = env.GAMMAWALL_HISTORY
  for (const [at, flag] of flags.entries()) {
    if (flag === '--history') history = flags[at + 1]
    else if (flag.startsWith('--history=')) history = flag.slice('--history='.length)
  }
  return !history || history === 'embedded'
}

export function isEngineThere(root) {
  try {
    const manifest = join(root, FOLDER, 'node_modules', 'chdb', 'package.json')
    return JSON.parse(readFileSync(manifest, 'utf8')).version === VERSION
  } catch {
    return false
  }
}

/** Whether the engine is made for this machine: Linux with glibc or macOS, x64 or arm64. */
export function isEngineMadeForHere() {
  if (!['x64', 'arm64'].includes(process.arch)) return false
  if (process.platform === 'darwin') return true
  return process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime !== undefined
}

/** Fetches the engine beside its place and swaps at the end. Never throws: without it there is no history, that is all. */
export function fetchEngine(root, say) {
  for (const entry of readdirSync(root)) {
    if (entry.startsWith(`${FOLDER}-`)) rmSync(join(root, entry), { recursive: true, force: true }) // a killed start's
  }
  const next = join(root, `${FOLDER}-${process.pid}`)
  const startedAt = performance.now()
  try {
    if (!canFetch(`chdb@${VERSION}`, root)) {
      say(
        'the engine that keeps history cannot be fetched now; going on without history (--history off says so for good)'
      )
      return
    }
    say('fetching the engine that keeps history: 540 MB on disk, once')
    mkdirSync(next)
    writeFileSync(join(next, 'package.json'), JSON.stringify({ private: true, dependencies: { chdb: VERSION } }))
    const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--omit=dev', '--omit=peer', '--loglevel=error']
    if (!npm(['install', '--ignore-scripts', ...quiet], next) || !existsSync(join(next, 'node_modules', 'chdb'))) {
      say('the engine that keeps history could not be fetched; going on without history')
      return
    }
    rmSync(join(root, FOLDER), { recursive: true, force: true })
    renameSync(next, join(root, FOLDER))
    say(`the engine is there after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  } catch (error) {
    say(`the engine that keeps history could not be put in place (${error.message}); going on without history`)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
}
