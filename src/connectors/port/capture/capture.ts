import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { SourceError } from '../source-error.ts'
import { type CapturePlace, endCapture, isEnded } from './capture-place.ts'
import { withoutSecrets } from './masked.ts'

export interface RawAnswer {
  readonly address: string
  readonly status: number
  readonly headers: Headers
  /** Unpacked body; empty if it was not read. */
  readonly bytes: Uint8Array
}

export type AnswerListener = (answer: RawAnswer) => void

export type FrameListener = (frame: string | Uint8Array) => void

export interface Capture {
  readonly onAnswer: AnswerListener
  readonly onFrame: FrameListener
}

/**
 * Maximum number of bytes that a thread records. A few responses are enough for a bug report; a whole trading session
 * of chains would fill the disk.
 */
const MAX_BYTES = 2 ** 30
const KEPT = /^(content-type|date|etag|last-modified|retry-after|x-ratelimit-.*)$/

/**
 * Records raw vendor responses in a folder: each body as a file, and its address, status and headers as a line of
 * `answers.ndjson`. Stream frames become lines of another file, with their time of arrival; binary frames are written
 * as base64. Secrets are masked everywhere, also where they are percent-encoded. Throws if the folder cannot be
 * created. Recording ends for all threads if writing fails or a thread reaches its maximum; requests go on.
 */
export function captureInto(place: CapturePlace, source: string): Capture {
  const { folder, secrets } = place
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const sentence = `raw answers cannot be kept in ${folder}: ${whyNot(error)}; choose another folder with --capture`
    throw new SourceError('refused', sentence)
  }
  let [count, size] = [0, 0]
  const mask = (text: string) => withoutSecrets(text, secrets)
  const masked = (bytes: Uint8Array) => Buffer.from(mask(Buffer.from(bytes).toString('latin1')), 'latin1')
  const keep = (bytes: number, write: () => void) => {
    if (isEnded(place)) return
    size += bytes
    if (size > MAX_BYTES) return endCapture(place, `one thread has kept ${MAX_BYTES / 2 ** 30} GiB`)
    try {
      write()
    } catch (error) {
      endCapture(place, whyNot(error))
    }
  }
  const appendLine = (file: string, line: object) =>
    appendFileSync(join(folder, file), `${JSON.stringify(line)}\n`, { mode: 0o600 })
  return {
    onAnswer({ address, status, headers, bytes }) {
      const { pathname, search } = new URL(address)
      const name = mask(decoded(mask(pathname + search))).replace(/[^A-Za-z0-9.-]+/g, '-')
      const file = `${source}-${threadId}-${String(++count).padStart(5, '0')}${name.slice(0, 120)}`
      const kept = [...headers].filter(([header]) => KEPT.test(header)).map(([header, value]) => [header, mask(value)])
      const at = new Date().toISOString()
      const line = { file, at, status, address: mask(address), headers: Object.fromEntries(kept) }
      keep(bytes.length, () => {
        try {
          writeFileSync(join(folder, file), masked(bytes), { mode: 0o600 })
          appendLine('answers.ndjson', line)
        } catch (error) {
          rmSync(join(folder, file), { force: true }) // a partial file would look like a truncated response
          throw error
        }
      })
    },
    onFrame(frame) {
      const at = new Date().toISOString()
      keep(frame.length, () => {
        const content = typeof frame === 'string' ? { text: mask(frame) } : { base64: masked(frame).toString('base64') }
        appendLine(`${source}-${threadId}-frames.ndjson`, { at, ...content })
      })
    }
  }
}

function whyNot(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' ? 'the disk is full' : `it cannot be written (${code ?? error})`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
