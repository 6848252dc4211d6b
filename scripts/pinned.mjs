// Packages that are too large for package-lock.json or exist for some platforms only. Each set of them is a folder in
// scripts/pinned: package-lock.json states version and integrity of every package, contents.json the digest of its
// unpacked files. scripts/pin.mjs writes both. Nothing is installed whose tarball has another hash, and nothing is used
// whose files have another digest.
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { npm, unpack } from './npm.mjs'

/** The folder with the pinned sets of this checkout. */
export const pinnedFolder = fileURLToPath(new URL('pinned', import.meta.url))

/** Name of the record of a verified installation, inside of it. */
const VERIFIED = '.verified.json'

/**
 * The packages of a set that this machine installs, in the order of the lock: `path` below the place of installation,
 * `name`, `version`, `integrity` of the tarball as the registry states it, `contents` the digest of the unpacked files.
 */
export function pinnedPackages(set) {
  const { packages } = JSON.parse(readFileSync(join(set, 'package-lock.json'), 'utf8'))
  const contents = JSON.parse(readFileSync(join(set, 'contents.json'), 'utf8'))
  return Object.entries(packages)
    .filter(([path, entry]) => path !== '' && isForHere(entry))
    .map(([path, { version, integrity }]) => {
      const name = path.slice('node_modules/'.length)
      return { path, name, version, integrity, contents: contents[`${name}@${version}`] }
    })
}

/** Whether the packages of a set include `name` for this machine. */
export function isPinnedForHere(set, name) {
  return pinnedPackages(set).some((entry) => entry.name === name)
}

function isForHere({ os, cpu, libc }) {
  if (os !== undefined && !os.includes(process.platform)) return false
  if (cpu !== undefined && !cpu.includes(process.arch)) return false
  if (libc === undefined || process.platform !== 'linux') return true
  const isGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined
  return libc.includes(isGlibc ? 'glibc' : 'musl')
}

/**
 * Fetches a set beside its place, verifies tarballs and files, and swaps at the end. Throws an error that says what was
 * refused; what was in the place before stays there then. With `showProgress` stderr shows the megabytes fetched so far.
 */
export function installPinned(set, place, { showProgress = false } = {}) {
  const next = `${place}-${process.pid}`
  rmSync(next, { recursive: true, force: true })
  const end = showProgress ? watchDownload(join(next, CACHE)) : () => {}
  try {
    for (const { path, name, version, integrity } of pinnedPackages(set)) {
      const tarball = fetchTarball(name, version, next, { ownCache: showProgress })
      const found = integrityOf(tarball)
      if (found !== integrity) {
        throw new Error(`the tarball of ${name}@${version} is refused: it has ${found}, ${integrity} is pinned`)
      }
      const folder = join(next, path)
      mkdirSync(folder, { recursive: true })
      if (!unpack(tarball, folder)) throw new Error(`the tarball of ${name}@${version} could not be unpacked`)
      rmSync(tarball)
    }
    const refusal = refusalOf(set, next)
    if (refusal !== undefined) throw new Error(refusal)
    rmSync(join(next, CACHE), { recursive: true, force: true })
    rmSync(place, { recursive: true, force: true })
    mkdirSync(dirname(place), { recursive: true })
    renameSync(next, place)
  } finally {
    end()
    rmSync(next, { recursive: true, force: true })
  }
}

/** Name of npm's own cache for a download whose progress is shown: there the bytes can be seen as they arrive. */
const CACHE = '.npm-cache'

/** Shows on stderr how large a folder has grown, from a thread of its own, since npm runs while this one waits. */
function watchDownload(folder) {
  const worker = new Worker(new URL('download-progress.mjs', import.meta.url), { workerData: folder })
  worker.unref()
  return () => worker.terminate()
}

/**
 * Downloads the published tarball of a package into a folder, through npm's cache or one of its own in the folder.
 * Returns its path; throws if it cannot be fetched.
 */
export function fetchTarball(name, version, folder, { ownCache = false } = {}) {
  mkdirSync(folder, { recursive: true })
  const tarball = join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  const args = ['pack', `${name}@${version}`, '--ignore-scripts', '--loglevel=error', `--pack-destination=${folder}`]
  if (ownCache) args.push(`--cache=${join(folder, CACHE)}`)
  if (!npm(args, folder) || !existsSync(tarball)) throw new Error(`${name}@${version} could not be fetched`)
  return tarball
}

/** The hash of a file as package locks write it. */
export function integrityOf(file) {
  return `sha512-${hashOf(file, 'sha512').digest('base64')}`
}

/**
 * Why the packages in a place may not be used, as a sentence; undefined if they are those of the set. Every file is
 * hashed unless sizes and times of all files are those of the last verification, since hashing the engine takes
 * seconds. The status change time counts among them, because programs cannot set it.
 */
export function refusalOf(set, place, { full = false } = {}) {
  const packages = pinnedPackages(set)
  const pins = createHash('sha256').update(JSON.stringify(packages)).digest('hex')
  const modules = join(place, 'node_modules')
  if (!existsSync(modules)) return `${place} holds no packages`
  const state = JSON.stringify({ pins, files: filesIn(place, 'node_modules').map((file) => statesOf(place, file)) })
  if (!full && state === readIfThere(join(place, VERIFIED))) return undefined
  for (const { path, name, version, contents } of packages) {
    if (!existsSync(join(place, path))) return `${name}@${version} is missing in ${place}`
    if (contentsOf(join(place, path)) !== contents)
      return `the files of ${name} in ${place} are not those of ${version}`
  }
  const extra = filesIn(place, 'node_modules').find((file) => !packages.some(({ path }) => file.startsWith(`${path}/`)))
  if (extra !== undefined) return `${join(place, extra)} belongs to no pinned package`
  writeIfAllowed(place, state)
  return undefined
}

/** Digest of the files below a folder: of names, kinds and bytes. */
export function contentsOf(folder) {
  const hash = createHash('sha256')
  for (const file of filesIn(folder, '')) {
    const path = join(folder, file)
    hash.update(lstatSync(path).isFile() ? `${hashOf(path, 'sha256').digest('hex')} ${file}\n` : `no file: ${file}\n`)
  }
  return `sha256-${hash.digest('base64')}`
}

/** Everything below a folder that is no folder, sorted. Names with a dot in node_modules itself are npm's own records. */
function filesIn(root, below) {
  const entries = readdirSync(join(root, below), { withFileTypes: true })
  return entries
    .filter(({ name }) => below !== 'node_modules' || !name.startsWith('.'))
    .flatMap((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      return entry.isDirectory() ? filesIn(root, path) : [path]
    })
    .sort((a, b) => (a < b ? -1 : 1))
}

function statesOf(place, file) {
  const { size, mtimeMs, ctimeMs } = lstatSync(join(place, file))
  return [file, size, mtimeMs, ctimeMs]
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** A place that cannot be written to is verified in full each time. */
function writeIfAllowed(place, state) {
  const fresh = join(place, `${VERIFIED}.${process.pid}`)
  try {
    writeFileSync(fresh, state, { mode: 0o600 })
    renameSync(fresh, join(place, VERIFIED))
  } catch {
    rmSync(fresh, { force: true })
  }
}

/** Reads in pieces: the largest file has half a gigabyte. */
function hashOf(file, algorithm) {
  const hash = createHash(algorithm)
  const piece = Buffer.allocUnsafe(2 ** 20)
  const handle = openSync(file, 'r')
  try {
    for (let read = readSync(handle, piece); read > 0; read = readSync(handle, piece))
      hash.update(piece.subarray(0, read))
  } finally {
    closeSync(handle)
  }
  return hash
}
