/** A response, with the facts that its headers state. */
export interface Answered<Answer> {
  readonly answer: Answer
  /** Age of the oldest market data in the response, seconds; undefined if the response has no market data. */
  readonly age: number | undefined
  /** Whether the data source has stopped responding, or its clock is wrong. */
  readonly isStale: boolean
  /** Quality score of the option chain, 0 to 100, as in /v1/quality; undefined without a chain. */
  readonly quality: number | undefined
  /** Name of the data source; `synthetic` is a simulated market. */
  readonly source: string | undefined
  /** Time of the oldest snapshot used for a response about the past, New York time, yyyy-MM-ddTHH:mm:ss. */
  readonly replayAsOf: string | undefined
  /** Whether a snapshot used for a response about the past was imported rather than recorded live. */
  readonly isImported: boolean
  /** What the prints behind the response cover while the others are still being read; undefined if all are there. */
  readonly part: AnsweredPart | undefined
  /** Requests left today, Infinity without a limit; undefined if the request was not counted. */
  readonly remaining: number | undefined
}

export interface AnsweredPart {
  /** Share of the regular session so far, or of the symbols if `since` is undefined; from 0 to 1. */
  readonly share: number
  /** Time of the first print that may be counted, ISO 8601. */
  readonly since: string | undefined
}

export function answered<Answer>(answer: Answer, headers: Headers): Answered<Answer> {
  return {
    answer,
    age: numberIn(headers, 'x-data-age'),
    isStale: headers.get('x-data-stale') === 'true',
    quality: numberIn(headers, 'x-data-quality'),
    source: headers.get('x-data-source') ?? undefined,
    replayAsOf: headers.get('x-replay-as-of') ?? undefined,
    isImported: headers.get('x-replay-fidelity') === 'imported',
    part: partIn(headers.get('x-flow-partial')),
    remaining: numberIn(headers, 'x-ratelimit-remaining')
  }
}

function partIn(text: string | null): AnsweredPart | undefined {
  const [, share] = /^(?:session|symbols)=([\d.]+)/.exec(text ?? '') ?? []
  return share === undefined ? undefined : { share: Number(share), since: /\bsince=(\S+)/.exec(text!)?.[1] }
}

function numberIn(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)
  if (text === 'unlimited') return Number.POSITIVE_INFINITY
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : undefined
}
