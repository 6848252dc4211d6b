import { expect } from 'vitest'
import { easternDate } from '../../src/market/eastern.ts'
import type { Instant } from '../../src/market/units.ts'
import { parseMoment } from '../../src/replay/replay-moment.ts'
import type { ReplayService } from './replay.ts'

/** An answer without the headers that depend on its request. */
export interface Answer {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, unknown>>
}

const ofTheRequest = /^(x-ratelimit-|ratelimit|x-request-id$|date$|retry-after$)/

/** Asks the replay host about a moment, `yyyy-MM-dd` with or without an hour. */
export async function answerAt(service: ReplayService, address: string, moment: string): Promise<Answer> {
  const { statusCode, body, headers } = await service.past(`${address}&at=${moment}`)
  const kept = Object.entries(headers).filter(([name]) => !ofTheRequest.test(name))
  return { status: statusCode, body, headers: Object.fromEntries(kept) }
}

/** One after the other, so that nothing is shared between requests under way. */
export async function inTurn<From, To>(
  items: readonly From[],
  next: (item: From) => Promise<To>
): Promise<readonly To[]> {
  const results: To[] = []
  for (const item of items) results.push(await next(item))
  return results
}

export function expectSame(other: Answer, { status, body, headers }: Answer, what: string): void {
  expectText(other.body, body, what)
  expect([other.status, other.headers], what).toEqual([status, headers])
}

/**
 * Expects two texts to be equal. If they differ, only the place of the first difference is shown. Undefined stands for
 * a refusal.
 */
export function expectText(other: string | undefined, text: string | undefined, what: string): void {
  if (other === text) return
  const [a, b] = [other ?? 'a refusal', text ?? 'a refusal']
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  const around = (whole: string) => whole.slice(Math.max(0, at - 60), at + 60)
  expect(around(a), what).toBe(around(b))
}

/** Times that an answer may name though they lie ahead. */
const ahead = /expir|reset|next|close|earnings/

/** No moment in a body or its headers lies after the one asked about. */
export function expectNothingLater({ body, headers }: Answer, at: Instant, address: string): void {
  const visit = (value: unknown, name: string): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) visit(inner, Array.isArray(value) ? name : key)
    } else if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value) && !ahead.test(name)) {
      expect(Date.parse(value), `${address}: ${name}`).toBeLessThanOrEqual(at)
    }
  }
  visit(JSON.parse(body), '')
  const asOf = headers['x-replay-as-of']
  if (typeof asOf !== 'string') return
  expect(parseMoment(asOf)!, address).toBeLessThanOrEqual(at)
  expect(easternDate(parseMoment(asOf)!)).toBe(easternDate(at))
}
