import { createHash } from 'node:crypto'
import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encoding } from '../answers/answers.ts'

/** A file of the built dashboard, as it is sent. */
export interface PageFile {
  readonly type: string
  readonly body: Buffer
  readonly etag: string
  /** Only of files that gain by it. */
  readonly compressed: Partial<Record<Encoding, Buffer>>
}

/** The files by name, with slashes: `index.html`, `assets/index-4f3a.js`. */
export type PageFiles = ReadonlyMap<string, PageFile>

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2'
}

/** Below this a file gains nothing from compression, bytes. */
const MIN_COMPRESSED = 1024
const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)

/**
 * Reads every file of a folder into memory and compresses it, once. Undefined where no dashboard was built there. Links
 * are not followed, so that nothing outside of the folder is ever read.
 */
export async function readPageFiles(folder: string): Promise<PageFiles | undefined> {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(isServed)
  const files = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name)
    return [relative(folder, path).replaceAll(sep, '/'), await pageFile(extname(path), readFileSync(path))] as const
  })
  return new Map(await Promise.all(files))
}

/** A name with anything else in it would mean something else as a route. */
const isServed = (entry: Dirent) => entry.isFile() && /^[\w.-]+$/.test(entry.name)

async function pageFile(extension: string, body: Buffer): Promise<PageFile> {
  const type = types[extension] ?? 'application/octet-stream'
  const etag = `W/"${createHash('sha1').update(body).digest('base64url')}"`
  const isText = /charset/.test(type)
  return { type, body, etag, compressed: isText && body.length >= MIN_COMPRESSED ? await compress(body) : {} }
}

/** Nearly as small as it gets: the last step of brotli takes ten times as long, and every start waits for it. */
async function compress(body: Buffer): Promise<PageFile['compressed']> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  const [br, gzipped] = await Promise.all([toBrotli(body, { params }), toGzip(body, { level: 9 })])
  return { br, gzip: gzipped }
}
