// The loader that `typescript.mjs` registers. Stripped sources are kept below node_modules, named by a hash of the source, so
// that of many processes one strips them.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { threadId } from 'node:worker_threads'

const kept = fileURLToPath(new URL('../node_modules/.cache/gammawall/', import.meta.url))
let strip

/** Loads a TypeScript module of the project; leaves all others to Node. */
export async function load(url, context, nextLoad) {
  const path = url.startsWith('file:') ? url.replace(/[?#].*$/, '') : ''
  if (!path.endsWith('.ts') || path.includes('/node_modules/')) return nextLoad(url, context)
  return { format: 'module', shortCircuit: true, source: await stripped(fileURLToPath(path)) }
}

async function stripped(file) {
  const source = readFileSync(file)
  const place = join(kept, `${createHash('sha1').update(source).digest('hex')}.js`)
  try {
    return readFileSync(place, 'utf8')
  } catch {
    strip ??= (await import('@swc/wasm-typescript')).default.transformSync
    const { code } = strip(source.toString(), { mode: 'strip-only', filename: file })
    mkdirSync(kept, { recursive: true })
    const own = `${place}.${process.pid}.${threadId}`
    writeFileSync(own, code)
    renameSync(own, place) // another process or thread may read it meanwhile
    return code
  }
}
