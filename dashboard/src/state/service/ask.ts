import { type AnswerOf, createClient, type GetPath, type ParamsOf } from 'gammawall/client'
import { embedToken } from './sign-in.ts'

/** An answer with what the service says of it. */
export interface Asked<Answer> extends Freshness {
  readonly answer: Answer
}

export interface Freshness {
  /** seconds since the data was observed */
  readonly age: number | undefined
  readonly isStale: boolean
  /** synthetic, cboe, …; several are joined by commas */
  readonly source: string | undefined
  /** the moment of the recorded data that a replayed answer rests on */
  readonly replayAsOf: string | undefined
  /** whether that data was imported from files rather than recorded */
  readonly isImported: boolean
  /** requests left of the day; Infinity where they are not counted */
  readonly remaining: number | undefined
}

const { origin } = location

/** Knows the reader by the cookie of the session, or the page of others by its token. */
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
  /** a past moment in New York */
  readonly at: string | undefined
  readonly signal: AbortSignal
}

/** Asks the service, at a past moment where one is given. Throws ApiError. */
export const ask = client.ask as <Path extends GetPath>(
  path: Path,
  params: ParamsOf<Path>,
  options: Options
) => Promise<Asked<AnswerOf<Path>>>
