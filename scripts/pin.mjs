// Writes the locks of scripts/pinned anew: for a new version of a set, after its package.json was changed. What is
// pinned is what the registry states now, so compare the difference before it is committed.
//
//   node scripts/pin.mjs [set ...]
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runNpm, unpack } from './npm.mjs'
import { contentsOf, fetchTarball, integrityOf, pinnedFolder } from './pinned.mjs'

const sets = process.argv.length > 2 ? process.argv.slice(2) : readdirSync(pinnedFolder)
for (const name of sets) pin(join(pinnedFolder, name))

function pin(set) {
  const lock = join(set, 'package-lock.json')
  rmSync(lock, { force: true })
  const quiet = [
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--legacy-peer-deps',
    '--omit-lockfile-registry-resolved'
  ]
  const { status, stderr } = runNpm(['install', '--package-lock-only', ...quiet], set)
  if (status !== 0) throw new Error(`${set} could not be locked: ${stderr}`)
  const { packages } = JSON.parse(readFileSync(lock, 'utf8'))
  const contents = {}
  for (const [path, { version, integrity }] of Object.entries(packages)) {
    if (path === '') continue
    const name = path.slice('node_modules/'.length)
    contents[`${name}@${version}`] = contentsOfPublished(name, version, integrity)
    console.log(`${name}@${version} ${integrity}`)
  }
  writeFileSync(join(set, 'contents.json'), `${JSON.stringify(contents, undefined, 2)}\n`)
}

function contentsOfPublished(name, version, integrity) {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-pin-'))
  try {
    const tarball = fetchTarball(name, version, folder)
    if (integrityOf(tarball) !== integrity) throw new Error(`the tarball of ${name}@${version} is not the one locked`)
    const unpacked = join(folder, 'unpacked')
    mkdirSync(unpacked)
    if (!unpack(tarball, unpacked)) throw new Error(`the tarball of ${name}@${version} could not be unpacked`)
    return contentsOf(unpacked)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
