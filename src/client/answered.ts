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
  /** Requests left today, Infinity without a limit; undefined if the request was not counted. */
  readonly remaining: number | undefined
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
    remaining: numberIn(headers, 'x-ratelimit-remaining')
  }
}

function numberIn(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)
  if (text === 'unlimited') return Number.POSITIVE_INFINITY
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : undefined
}
