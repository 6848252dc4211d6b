// Loads the joined program: `bundle.mjs` puts a copy beside it. Every thread of a service loads a megabyte or two of
// text, and half of that time was V8 reading it. What V8 made of a file when it was built lies beside that file and is
// taken instead. V8 itself refuses it where it is another version or runs with other flags; then the text is read as ever.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'

/** Files of this thread by path: what they export, and their code. */
const loaded = new Map()
const HEAD = '(function (exports, require, module, __filename, __dirname) {'
const packages = createRequire(import.meta.url)

/** What a file of the program exports, given its address or its path. Each is loaded once. */
export function loadProgram(place) {
  const path = place instanceof URL ? fileURLToPath(place) : place
  const before = loaded.get(path)
  if (before !== undefined) return before.module.exports
  // All of it is ASCII, see `bundle.mjs`: one byte a character, in the file and in memory.
  const script = new vm.Script(`${HEAD}${readFileSync(path, 'latin1')}\n})`, {
    filename: path,
    cachedData: compiledBefore(path),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  })
  const folder = dirname(path)
  const require = (name) => (name.startsWith('.') ? loadProgram(resolve(folder, name)) : packages(name))
  const module = { exports: {} }
  loaded.set(path, { module, script })
  script.runInThisContext().call(module.exports, module.exports, require, module, path, folder)
  return module.exports
}

/** Keeps what V8 has made of the files that are loaded by now; the functions that ran are part of it. */
export function keepCompiled() {
  for (const [path, { script }] of loaded) writeFileSync(compiledPath(path), script.createCachedData())
}

/** V8 compares the length of a text alone, so a name says what is in the file: every joined file has a hash in its name. */
const compiledPath = (path) => `${path}.compiled`

function compiledBefore(path) {
  try {
    return readFileSync(compiledPath(path))
  } catch {
    return undefined
  }
}
