import { type AnswerOf, createClient, type GetPath, type ParamsOf } from 'gammawall/client'
import { embedToken } from './sign-in.ts'
import { knownRefusal } from './visitor.ts'

/** An answer with what its headers say about the data. */
export interface Asked<Answer> extends Freshness {
  readonly answer: Answer
  /** The part of the session that flow figures cover so far; undefined if they cover all of it. */
  readonly part: SessionPart | undefined
}

export interface SessionPart {
  /** Share of the session so far, or of the symbols without `since`; from 0 to 1. */
  readonly share: number
  readonly since: string | undefined
}

export interface Freshness {
  /** Seconds since the data was observed. */
  readonly age: number | undefined
  readonly isStale: boolean
  /** Quality score of the chain, 0 to 100; undefined without a chain. */
  readonly quality: number | undefined
  /** synthetic, cboe, …; several are separated by commas. */
  readonly source: string | undefined
  /** Time of the recorded data behind a replayed answer. */
  readonly replayAsOf: string | undefined
  /** Whether that data was imported from files rather than recorded. */
  readonly isImported: boolean
  /** Requests left today; Infinity if the plan does not count them. */
  readonly remaining: number | undefined
}

const { origin } = location

/** Authenticates by the session cookie or, in an embedded panel, by its token. */
export const client = createClient({
  url: origin,
  replayUrl: `${origin}/replay`,
  streamUrl: origin,
  fetch: (address, init) => fetch(address, withToken(init))
})

function withToken(init: RequestInit | undefined): RequestInit | undefined {
  const token = embedToken.peek()
  if (token === undefined) return init
  return { ...init, credentials: 'omit', headers: { ...init?.headers, 'x-embed-token': token } }
}

interface Options {
  /** A past moment in New York. */
  readonly at: string | undefined
  readonly signal: AbortSignal
}

const askService = client.ask as <Path extends GetPath>(
  path: Path,
  params: ParamsOf<Path>,
  options: Options
) => Promise<Asked<AnswerOf<Path>>>

/** Asks the service, live or at a past moment, unless it is known to refuse. Throws ApiError. */
export async function ask<Path extends GetPath>(
  path: Path,
  params: ParamsOf<Path>,
  options: Options
): Promise<Asked<AnswerOf<Path>>> {
  const refusal = knownRefusal(path)
  if (refusal !== undefined) throw refusal
  return askService(path, params, options)
}
