import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { Encodable } from '../http/content-negotiation.ts'
import { entityTag } from '../http/entity-tag.ts'

export interface PageFile extends Encodable {
  readonly type: string
  readonly etag: string
}

/** Files of the built dashboard or documentation by path, such as `index.html` or `assets/index-4f3a.js`. */
export type PageFiles = ReadonlyMap<string, PageFile>

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2'
}

/**
 * Reads every file of a folder into memory, once. Undefined if the folder contains no built pages. Links are not
 * followed, so nothing outside the folder is read.
 */
export function readPageFiles(folder: string): PageFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(isServed)
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [relative(folder, path).replaceAll(sep, '/'), pageFile(extname(path), readFileSync(path))]
    })
  )
}

/** Other characters in a file name would have a special meaning in a route. */
const isServed = (entry: Dirent) => entry.isFile() && /^[\w.-]+$/.test(entry.name)

export function pageFile(extension: string, body: Buffer): PageFile {
  const type = types[extension] ?? 'application/octet-stream'
  const etag = entityTag(body)
  return { type, body, etag, compressed: {} }
}

/** Whether compression makes a file smaller; images and fonts are compressed already. */
export function isTextFile({ type }: PageFile): boolean {
  return type.includes('charset')
}
