// Fetches the versions of Node beside the one at hand that the service may meet, for the tests of what rests on Node's
// own behaviour. They stand in no package list, since only tests use them: some 190 MB each, fetched once.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canFetch, npm } from './npm.mjs'

const FOLDER = '.nodes'
const VERSIONS = ['22.23.3', '24.21.0']

const platform = process.platform === 'win32' ? 'win' : process.platform
const program = process.platform === 'win32' ? 'node.exe' : 'node'
const packageName = `node-${platform}-${process.arch}`
const placeOf = (root, version) => join(root, FOLDER, version)
const programOf = (root, version) => join(placeOf(root, version), 'node_modules', packageName, 'bin', program)

/** Each of them with its program; undefined where it was not fetched. */
export function otherNodes(root) {
  return VERSIONS.map((version) => {
    const found = programOf(root, version)
    return { version, program: existsSync(found) ? found : undefined }
  })
}

/** Fetches those that are not there. Never throws: a test that lacks one says so. */
export function fetchNodes(root, say) {
  for (const { version, program } of otherNodes(root)) {
    if (program !== undefined) continue
    const place = placeOf(root, version)
    const next = `${place}-${process.pid}`
    try {
      if (!canFetch(`${packageName}@${version}`, root)) {
        say(`Node ${version} cannot be fetched now; the tests that need it are skipped`)
        return
      }
      mkdirSync(next, { recursive: true })
      const wanted = { private: true, dependencies: { [packageName]: version } }
      writeFileSync(join(next, 'package.json'), JSON.stringify(wanted))
      const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
      if (npm(['install', '--ignore-scripts', ...quiet], next)) {
        rmSync(place, { recursive: true, force: true })
        renameSync(next, place)
      } else say(`Node ${version} could not be fetched; the tests that need it are skipped`)
    } catch (error) {
      say(`Node ${version} could not be put in place (${error.message}); the tests that need it are skipped`)
    } finally {
      rmSync(next, { recursive: true, force: true })
    }
  }
}
