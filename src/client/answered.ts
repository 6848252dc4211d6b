/** An answer with what its headers say of it. */
export interface Answered<Answer> {
  readonly answer: Answer
  /** Seconds of the oldest market data behind it; undefined where the answer shows none. */
  readonly age: number | undefined
  /** Whether the source of that data has stopped answering since, or its clock cannot be right. */
  readonly isStale: boolean
  /** How good the chain behind it is, 0 to 100, as /v1/quality says; undefined where it is made of none. */
  readonly quality: number | undefined
  /** Where the data comes from, as the service names it; `synthetic` is made up. */
  readonly source: string | undefined
  /** The oldest snapshot behind an answer about the past, New York time, yyyy-MM-ddTHH:mm:ss. */
  readonly replayAsOf: string | undefined
  /** Whether a snapshot behind an answer about the past was imported rather than recorded by the service. */
  readonly isImported: boolean
  /** Requests left today, Infinity without a limit; undefined where the request was not counted. */
  readonly remaining: number | undefined
}

/** Reads the headers of an answer. */
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
