// Fetches the engine that keeps history, ClickHouse as a library of this process. It is 540 MB and exists for some
// platforms only, so it stands in scripts/pinned instead of package-lock.json: it is fetched once, apart from the other
// packages, into a folder that an installation of those leaves alone. The service runs without it.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { canFetch } from './npm.mjs'
import { installPinned, pinnedFolder, pinnedPackages, refusalOf } from './pinned.mjs'

const SET = join(pinnedFolder, 'engine')
const FOLDER = '.engine'
/** Folder for a refused engine. The service never loads from it, and the next refused engine replaces it. */
const REFUSED = '.engine-refused'
const LIBRARY = /^@chdb\/lib-/
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

/** Whether an engine is in its place; `engineRefusal` says whether it may be loaded. */
export function isEngineThere(root) {
  return existsSync(join(root, FOLDER, 'node_modules', 'chdb', 'package.json'))
}

/** Whether the library of the engine is pinned for this machine: today Linux with glibc on x64. */
export function isEngineMadeForHere(set = SET) {
  return pinnedPackages(set).some(({ name }) => LIBRARY.test(name))
}

/** Why the engine in its place may not be loaded; undefined if there is none, or the pinned one. */
export function engineRefusal(root, set = SET) {
  const place = join(root, FOLDER)
  return existsSync(join(place, 'node_modules')) ? refusalOf(set, place) : undefined
}

/**
 * Puts an engine aside that is not the pinned one, so that no process loads it: an earlier version, half a folder, a
 * library that somebody swapped. Throws where the folder cannot be moved.
 */
export function setAsideRefused(root, say, set = SET) {
  const refusal = engineRefusal(root, set)
  if (refusal === undefined) return
  try {
    rmSync(join(root, REFUSED), { recursive: true, force: true })
    renameSync(join(root, FOLDER), join(root, REFUSED))
  } catch (error) {
    throw new Error(`the engine that keeps history is refused and cannot be put aside (${error.message}): ${refusal}`)
  }
  say(`the engine that keeps history is refused and now lies in ${REFUSED}: ${refusal}`)
}

/** Version of the pinned library of the engine for this machine; undefined where none is pinned. */
export function engineVersion(set = SET) {
  return pinnedPackages(set).find(({ name }) => LIBRARY.test(name))?.version
}

/**
 * Fetches the engine beside its place and swaps at the end. With `showProgress` stderr also shows the megabytes fetched so far.
 * Never throws: without it there is no history, that is all.
 */
export function fetchEngine(root, say, { set = SET, showProgress = false } = {}) {
  const startedAt = performance.now()
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 })
    for (const entry of readdirSync(root)) {
      if (entry.startsWith(`${FOLDER}-`) && entry !== REFUSED) {
        rmSync(join(root, entry), { recursive: true, force: true }) // a killed start's
      }
    }
    const { name, version } = pinnedPackages(set)[0]
    if (!canFetch(`${name}@${version}`, root)) {
      say(
        'the engine that keeps history cannot be fetched now; going on without history (--history off says so for good)'
      )
      return
    }
    say('fetching the engine that keeps history: 540 MB on disk, once')
    installPinned(set, join(root, FOLDER), { showProgress })
    say(`the engine is there after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  } catch (error) {
    say(`the engine that keeps history was not installed: ${error.message}; going on without history`)
  }
}
