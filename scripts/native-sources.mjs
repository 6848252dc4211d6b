// Lets tests run the sources as Node runs them. A test runner wraps each module it loads, so that every call of an imported
// function goes through a getter: kernels take 15 times as long. Instead each source is stripped of its types into
// node_modules/.cache when it has changed, and tests import that.
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformWithOxc } from 'vite'

const root = fileURLToPath(new URL('../', import.meta.url))
const sources = join(root, 'src/')
const stripped = join(root, 'node_modules/.cache/gammawall/src/')

const strippedName = (file) => join(stripped, file.slice(sources.length).replace(/\.ts$/, '.js'))

/** Strips every source that is newer than what was made of it. */
async function stripAll() {
  for (const name of readdirSync(sources, { recursive: true })) {
    const file = join(sources, name)
    if (!name.endsWith('.ts')) continue
    const target = strippedName(file)
    const made = statSync(target, { throwIfNoEntry: false })
    if (made !== undefined && made.mtimeMs > statSync(file).mtimeMs) continue
    const { code } = await transformWithOxc(readFileSync(file, 'utf8'), file, {
      target: 'es2023',
      sourcemap: false,
      typescript: { rewriteImportExtensions: 'rewrite', onlyRemoveTypeImports: true }
    })
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(`${target}.${process.pid}`, code)
    renameSync(`${target}.${process.pid}`, target) // another run may read it meanwhile
  }
}

/** A plugin that leads each import of a source to what was made of it. */
export async function nativeSources() {
  await stripAll()
  return {
    name: 'native-sources',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.startsWith('.') || importer === undefined) return undefined
      const file = join(dirname(importer.replace(/\?.*$/, '')), source)
      return file.startsWith(sources) && file.endsWith('.ts') ? strippedName(file) : undefined
    }
  }
}
