// Makes a checkout ready to run: installs what package-lock.json asks for and node_modules lacks, builds when a source
// changed. Only Node itself is needed, and nothing rests on npm's life-cycle scripts, which operators often switch off.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync
} from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchEngine, isEngineMadeForHere, isEngineThere } from './engine.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const dist = join(root, 'dist')
const stamp = join(dist, '.built')
const next = join(dist, `.next-${process.pid}`) // its own: the compiler of a killed start may still be writing
const pagesStamp = join(dist, '.dashboard') // beside the pages: what lies among them is served
const readyStamp = join(dist, '.ready') // how all files looked when everything was found ready
const lock = join(dist, '.lock')
const lockFile = join(root, 'package-lock.json')
const installedFile = join(root, 'node_modules', '.package-lock.json')
const LOCK_AGE = 15 * 60_000 // an install takes minutes at worst; an older lock was left by a machine that went down

/** Something the person at the terminal can mend; the message says what. */
export class PrepareError extends Error {}

/**
 * Installs and, unless told otherwise, builds; with `engine`, fetches the engine that keeps history where it can be had.
 * Costs some 30 ms when there is nothing to do and no file was touched. Two programs that start together take turns, and
 * the second finds the work done. Progress goes to stderr. Throws a PrepareError.
 */
export function prepare({ build = true, engine = false } = {}) {
  if (!existsSync(join(root, 'src'))) return // an image or a package: made ready where its sources were
  const lacksEngine = () => engine && !isEngineThere(root) && isEngineMadeForHere()
  const look = looksNow()
  if (isStamped(readyStamp, look.text)) {
    if (!lacksEngine()) return
  } else if (isInstalled() && (!build || (isBuilt() && arePagesBuilt())) && !lacksEngine()) {
    if (build) rememberReady(look)
    return
  }
  takeTurn(() => {
    if (!isInstalled()) install()
    if (build && !isBuilt()) rebuild()
    if (build && !arePagesBuilt()) rebuildPages()
    if (lacksEngine()) fetchEngine(root, say)
  })
}

/** Whether node_modules holds every package of the lock file in its version. An interrupted npm ci leaves no record. */
function isInstalled() {
  if (!existsSync(installedFile)) return false
  try {
    const wanted = JSON.parse(readFileSync(lockFile, 'utf8')).packages
    const present = JSON.parse(readFileSync(installedFile, 'utf8')).packages
    return Object.entries(wanted).every(([path, { version, optional, devOptional, link }]) => {
      if (path === '' || link) return true
      if (present[path] === undefined) return Boolean(optional || devOptional) // made for another platform
      return present[path].version === version
    })
  } catch {
    return false
  }
}

function install() {
  say('installing packages')
  // Development packages too, whatever NODE_ENV says: the compiler is one of them.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  const npm = process.env.npm_execpath ?? ''
  const done = /^npm-cli\.c?js$/.test(basename(npm))
    ? run(process.execPath, [npm, ...args])
    : run('npm', args, { shell: process.platform === 'win32' })
  if (!done) throw new PrepareError('the packages could not be installed: see the output of npm above')
}

function isBuilt() {
  return isStamped(stamp, fingerprint(programFiles()))
}

/** Whether the pages of the dashboard are those of its sources; where there are no sources there is nothing to build. */
function arePagesBuilt() {
  if (!existsSync(join(root, 'dashboard/src'))) return true
  return isStamped(pagesStamp, fingerprint(pagesFiles()))
}

function isStamped(file, text) {
  return existsSync(file) && readFileSync(file, 'utf8') === text
}

const programFiles = () => [
  'package.json',
  'package-lock.json',
  'scripts/bundle.mjs',
  'scripts/load-program.mjs',
  ...readdirSync(root).filter((name) => /^tsconfig.*\.json$/.test(name)),
  ...['src', 'bench', 'trials', 'test/support'].flatMap(filesIn)
]
const pagesFiles = () => [
  ...['package-lock.json', 'dashboard/index.html', 'dashboard/vite.config.ts'],
  ...['dashboard/src', 'dashboard/methods', 'dashboard/public', 'docs/methods', 'src/client', 'src/api'].flatMap(
    filesIn
  )
]

/** Every file below a folder of the checkout, named from its root. */
function filesIn(folder) {
  const place = `${root}${folder}`
  if (!existsSync(place)) return []
  return readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesIn(name) : entry.isFile() ? [name] : []
  })
}

/** A hash of everything a build reads. By content: a fresh checkout or a copied folder need not build again. */
function fingerprint(files) {
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(`\0${file}\0`).update(readFileSync(`${root}${file}`))
  return hash.digest('hex')
}

/** How long after a write the same file might be written again without a later time, milliseconds: the coarsest clocks. */
const CLOCK_TICK = 3000

/**
 * A hash of how everything looks from outside that says whether all is ready: the files that are read, what installation
 * and build left. While it is the same nothing was touched, and all those files need not be read, which takes a tenth of
 * a second. `settled`: none of them was written so recently that it might change and look the same.
 */
function looksNow() {
  const hash = createHash('sha256')
  const isDashboardHere = existsSync(join(root, 'dashboard/src'))
  const files = new Set([...programFiles(), ...(isDashboardHere ? pagesFiles() : [])])
  const places = [...files].map((file) => `${root}${file}`)
  let newest = 0
  for (const file of [...places, installedFile, stamp, pagesStamp].sort()) {
    const { size, ino, ctimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {}
    if (ctimeMs > newest) newest = ctimeMs
    hash.update(`${file} ${size} ${ino} ${ctimeMs}\n`)
  }
  return { text: hash.digest('hex'), settled: Date.now() - newest > CLOCK_TICK }
}

/** Has the next start find at once that everything is ready. Where that cannot be kept, it looks again. */
function rememberReady({ text, settled }) {
  if (!settled) return
  try {
    writeFileSync(readyStamp, text)
  } catch {
    // The folder belongs to somebody else.
  }
}

/** Builds beside the old build and swaps at the end. The stamp goes first and comes last: without it nothing is used. */
function rebuild() {
  say('building')
  const built = fingerprint(programFiles()) // as it was before: a file saved meanwhile makes the build stale
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const done = run(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', next, '--noEmitOnError'])
  if (!done || !run(process.execPath, [join(root, 'scripts', 'bundle.mjs'), next])) {
    throw new PrepareError('the sources could not be built: see the output of the compiler above')
  }
  rmSync(stamp, { force: true })
  for (const entry of readdirSync(dist)) {
    if (entry !== basename(next) && entry !== basename(lock))
      rmSync(join(dist, entry), { recursive: true, maxRetries: 5 })
  }
  for (const entry of readdirSync(next)) renameSync(join(next, entry), join(dist, entry))
  rmSync(next, { recursive: true })
  writeFileSync(stamp, built)
}

/** Builds the pages of the dashboard from the client as it was just built: that takes about a second. */
function rebuildPages() {
  say('building the dashboard')
  const built = fingerprint(pagesFiles())
  rmSync(pagesStamp, { force: true })
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  if (!run(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: join(root, 'dashboard') })) {
    throw new PrepareError('the dashboard could not be built: see the output above')
  }
  writeFileSync(pagesStamp, built)
}

function run(program, args, options = {}) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 2, 2], ...options })
  if (error !== undefined) say(`${program} could not be started: ${error.message}`)
  return status === 0
}

/** Runs `work` while no other process does. A lock whose owner is gone is taken over. */
function takeTurn(work) {
  mkdirSync(dist, { recursive: true })
  for (let told = false; !createLock(); told = true) {
    if (!told) say('waiting for another start to finish its installation or build')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  }
  try {
    work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function createLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  try {
    if (!isAbandoned()) return false
    unlinkSync(lock)
    return createLock()
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return false // it was given back meanwhile
  }
}

function isAbandoned() {
  const age = Date.now() - statSync(lock).mtimeMs
  const owner = Number(readFileSync(lock, 'utf8'))
  if (age > LOCK_AGE) return true
  if (!Number.isInteger(owner) || owner <= 0) return age > 1000 // made, but its owner not yet written
  try {
    process.kill(owner, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

function say(text) {
  process.stderr.write(`gammawall: ${text}\n`)
}
