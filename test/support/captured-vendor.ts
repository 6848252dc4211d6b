import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { VendorConduct } from './rest-vendor.ts'

/** A line of `answers.ndjson`. */
interface CapturedAnswer {
  readonly file: string
  readonly status: number
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * A vendor that answers as a folder of `--capture` has it, so that a case which a user sent is read as the vendor was: what was
 * asked for several times is answered in that order, the last answer again and again. What was not asked for is not there.
 */
export function capturedVendor(folder: string): VendorConduct {
  const lines = readFileSync(join(folder, 'answers.ndjson'), 'utf8').trim().split('\n')
  const answers = new Map<string, CapturedAnswer[]>()
  for (const line of lines) {
    const answer = JSON.parse(line) as CapturedAnswer
    const { pathname, searchParams } = new URL(answer.address)
    const name = nameOf(pathname, Object.fromEntries(searchParams))
    answers.set(name, [...(answers.get(name) ?? []), answer])
  }
  return ({ path, query }) => {
    const found = answers.get(nameOf(path, query))
    const answer = found !== undefined && found.length > 1 ? found.shift() : found?.[0]
    if (answer === undefined) return { status: 404 }
    const { status, headers, file } = answer
    return { status, headers, body: readFileSync(join(folder, file), 'utf8') }
  }
}

const nameOf = (path: string, query: Readonly<Record<string, string>>) =>
  JSON.stringify([path, Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1))])
