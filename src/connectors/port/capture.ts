import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

/** An answer as it came over HTTP. */
export interface RawAnswer {
  readonly address: string
  readonly status: number
  readonly headers: Headers
  /** Unpacked; empty where its body was not read. */
  readonly bytes: Uint8Array
}

export type AnswerListener = (answer: RawAnswer) => void

/** What a thread keeps at most, bytes: a case is some answers, and a session of chains would fill the disk. */
const MOST = 2 ** 30
/** Headers that tell something of an answer. */
const KEPT = /^(content-type|date|etag|last-modified|retry-after|x-ratelimit-.*)$/

/**
 * Keeps raw answers in a folder: a file for each body, and a line of `answers.ndjson` with its address, status and headers.
 * Secrets are masked wherever they stand. Throws where the folder cannot be written.
 */
export function captureInto(folder: string, source: string, secrets: readonly string[]): AnswerListener {
  mkdirSync(folder, { recursive: true })
  let [count, size] = [0, 0]
  const mask = (text: string) => secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text)
  return ({ address, status, headers, bytes }) => {
    if (size + bytes.length > MOST) return
    size += bytes.length
    const { pathname, search } = new URL(address)
    const name = mask(decodeURIComponent(pathname + search)).replace(/[^A-Za-z0-9.-]+/g, '-')
    const file = `${source}-${threadId}-${String(++count).padStart(5, '0')}${name.slice(0, 120)}`
    const text = Buffer.from(bytes).toString('latin1')
    const hasSecret = secrets.some((secret) => text.includes(secret))
    writeFileSync(join(folder, file), hasSecret ? Buffer.from(mask(text), 'latin1') : bytes)
    const kept = [...headers].filter(([header]) => KEPT.test(header)).map(([header, value]) => [header, mask(value)])
    const line = {
      file,
      at: new Date().toISOString(),
      status,
      address: mask(address),
      headers: Object.fromEntries(kept)
    }
    appendFileSync(join(folder, 'answers.ndjson'), `${JSON.stringify(line)}\n`)
  }
}
