// Fetches the versions of Node beside the one at hand that the service may meet, for the tests of what rests on Node's
// own behaviour. They stand in scripts/pinned, since only tests use them: some 190 MB each, fetched once.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { canFetch } from './npm.mjs'
import { installPinned, pinnedFolder, pinnedPackages, refusalOf } from './pinned.mjs'

const FOLDER = '.nodes'
const SETS = ['node-22', 'node-24']

const program = process.platform === 'win32' ? 'node.exe' : 'node'

/** Each version that is pinned for this machine, with its program; undefined where it was not fetched. */
export function otherNodes(root) {
  return SETS.flatMap((name) => {
    const set = join(pinnedFolder, name)
    return pinnedPackages(set).map(({ name, path, version }) => {
      const place = join(root, FOLDER, version)
      const found = join(place, path, 'bin', program)
      return { set, place, name, version, program: existsSync(found) ? found : undefined }
    })
  })
}

/** Fetches those that are not there, and anew those that are not as published. Never throws: a test that lacks one says so. */
export function fetchNodes(root, say) {
  for (const { set, place, name, version, program } of otherNodes(root)) {
    try {
      const refusal = program === undefined ? undefined : refusalOf(set, place)
      if (program !== undefined && refusal === undefined) continue
      if (refusal !== undefined) {
        say(`Node ${version} is refused and removed: ${refusal}`)
        rmSync(place, { recursive: true, force: true })
      }
      if (!canFetch(`${name}@${version}`, root)) {
        say(`Node ${version} cannot be fetched now; the tests that need it are skipped`)
        return
      }
      installPinned(set, place)
    } catch (error) {
      say(`Node ${version} was not installed: ${error.message}; the tests that need it are skipped`)
    }
  }
}
