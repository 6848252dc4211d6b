import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { transformSync } from 'rolldown/utils'
import type { Plugin } from 'vitest/config'

// Lets tests run the sources as Node runs them. A test runner wraps each module it loads, so that every call of an imported
// function goes through a getter: kernels take 15 times as long. Instead each source is stripped of its types into
// node_modules/.cache when it has changed, and tests import that.

const root = join(import.meta.dirname, '../..')
const sources = join(root, 'src/')
const stripped = join(root, 'node_modules/.cache/gammawall/')

/** Files that the test runner is to leave to Node. */
export const nativeFiles = /\/node_modules\/\.cache\/gammawall\//

const strippedName = (file: string) => join(stripped, file.slice(sources.length).replace(/\.ts$/, '.js'))

/** Strips every source that is newer than what was made of it. */
function stripSources(): void {
  for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue
    const file = join(sources, name)
    const target = strippedName(file)
    const made = statSync(target, { throwIfNoEntry: false })
    if (made !== undefined && made.mtimeMs > statSync(file).mtimeMs) continue
    const { code, errors } = transformSync(file, readFileSync(file, 'utf8'), {
      target: 'es2023',
      typescript: { rewriteImportExtensions: 'rewrite', onlyRemoveTypeImports: true }
    })
    if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0].message}`)
    mkdirSync(dirname(target), { recursive: true })
    const own = `${target}.${process.pid}`
    writeFileSync(own, code)
    renameSync(own, target) // another run may read it meanwhile
  }
}

/** Leads each import of a source to what was made of it. */
export function nativeSources(): Plugin {
  stripSources()
  return {
    name: 'native-sources',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!source.startsWith('.') || importer === undefined) return undefined
      const file = join(dirname(importer.replace(/\?.*$/, '')), source)
      return file.startsWith(sources) && file.endsWith('.ts') ? strippedName(file) : undefined
    }
  }
}
