// Makes a checkout ready to run: installs what package-lock.json asks for and node_modules lacks, builds when a source changed.
// `start` itself does it, since operators often switch off npm's life-cycle scripts, and a `prestart` with them.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { engineRefusal, fetchEngine, isEngineMadeForHere, isEngineThere, setAsideRefused } from './engine.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const dist = join(root, 'dist')
const stamp = join(dist, '.built')
/** Folder that holds the engine of the history: of a checkout its own, of an installed package that of its user. */
const engineHome = process.env.GAMMAWALL_ENGINE_FOLDER || root

/** Something the person at the terminal can mend; the message says what. */
export class PrepareError extends Error {}

/**
 * Installs and, unless told otherwise, builds; with `engine`, fetches the engine that keeps history where it can be had.
 * An engine that is not the pinned one is put aside. Takes some 40 ms if there is nothing to do. Progress goes to stderr.
 * Throws a PrepareError.
 */
export function prepare({ build = true, engine = false } = {}) {
  const lacksEngine = () => engine && !isEngineThere(engineHome) && isEngineMadeForHere()
  if (!existsSync(join(root, 'src'))) return prepareBuilt(lacksEngine)
  if (isInstalled() && (!build || isBuilt()) && engineRefusal(engineHome) === undefined && !lacksEngine()) return
  inTurn(root, () => {
    setAsideEngine()
    if (!isInstalled()) install()
    if (build && !isBuilt()) rebuild()
    if (lacksEngine()) fetchEngine(engineHome, say)
  })
}

/**
 * An image or a package was built where its sources were. The engine that it loads is verified all the same. A package
 * fetches it, an image does not: there it would be gone with the container.
 */
function prepareBuilt(lacksEngine) {
  setAsideEngine()
  if (engineHome === root || !lacksEngine()) return
  try {
    mkdirSync(engineHome, { recursive: true, mode: 0o700 })
    inTurn(engineHome, () => {
      if (lacksEngine()) fetchEngine(engineHome, say, { showProgress: true })
    })
  } catch (error) {
    say(`the engine that keeps history cannot be put into ${engineHome}: ${error.message}; going on without history`)
  }
}

function setAsideEngine() {
  try {
    setAsideRefused(engineHome, say)
  } catch (error) {
    throw new PrepareError(error.message)
  }
}

/** Runs `work` on a folder while no other process does: two starts at once would write over each other. */
function inTurn(folder, work) {
  const lock = join(folder, '.preparing')
  while (!takeLock(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  try {
    work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** The lock holds the id of its process; that of a process which is gone is taken over. */
function takeLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0)
  } catch (error) {
    if (error.code === 'ESRCH') rmSync(lock, { force: true })
  }
  return false
}

/** Whether node_modules holds every package of the lock file in its version. An interrupted npm ci leaves no record. */
function isInstalled() {
  try {
    const packagesOf = (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages
    const present = packagesOf('node_modules/.package-lock.json')
    return Object.entries(packagesOf('package-lock.json')).every(([path, { version, optional, devOptional, link }]) => {
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
  // Installs development packages even if NODE_ENV is production, because the bundler is one of them.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  const npm = process.env.npm_execpath ?? ''
  const done = /^npm-cli\.c?js$/.test(basename(npm))
    ? run(process.execPath, [npm, ...args])
    : run('npm', args, { shell: process.platform === 'win32' })
  if (!done) throw new PrepareError('the packages could not be installed: see the output of npm above')
}

function isBuilt() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourcesNow()
}

/** Builds beside the old build, which a service may be running, and swaps at the end. The stamp comes last. */
function rebuild() {
  say('building')
  const built = sourcesNow() // as it was before: a file saved meanwhile makes the build stale
  const next = join(root, `dist-${process.pid}`)
  try {
    if (!run(process.execPath, [join(root, 'scripts/build.mjs'), next]))
      throw new PrepareError('the sources could not be built: see the output above')
    rmSync(dist, { recursive: true, force: true, maxRetries: 5 })
    renameSync(next, dist)
    writeFileSync(stamp, built)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
}

/** A digest of everything that a build reads, by the size and the time of each file. */
function sourcesNow() {
  const hash = createHash('sha256')
  const scripts = ['build.mjs', 'docs-pages.mjs', 'docs-pages.css'].map((name) => `scripts/${name}`)
  const inputs = ['src', 'dashboard', 'docs', ...scripts, 'package-lock.json', 'tsconfig.json', 'tsconfig.client.json']
  for (const file of inputs.flatMap(filesIn)) {
    const { size, mtimeMs } = statSync(join(root, file))
    hash.update(`${file} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

/** The files of a folder of the checkout and below it, named from its root; a file is itself. */
function filesIn(name) {
  const found = statSync(join(root, name), { throwIfNoEntry: false })
  if (found === undefined) return []
  return found.isDirectory() ? filesBelow(name) : [name]
}

function filesBelow(folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.name === 'node_modules') return []
      const name = `${folder}/${entry.name}`
      return entry.isDirectory() ? filesBelow(name) : [name]
    })
}

function run(program, args, options = {}) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 2, 2], ...options })
  if (error !== undefined) say(`${program} could not be started: ${error.message}`)
  return status === 0
}

function say(text) {
  process.stderr.write(`gammawall: ${text}\n`)
}
