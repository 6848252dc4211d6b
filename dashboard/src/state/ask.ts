import { type AnswerOf, createClient, type GetPath, type ParamsOf } from 'gammawall/client'

/** An answer with what the service says of it. */
export interface Asked<Answer> {
  readonly answer: Answer
  readonly freshness: Freshness
}

export interface Freshness {
  /** seconds since the data was observed */
  readonly age: number | undefined
  readonly isStale: boolean
  /** synthetic, cboe, …; several are joined by commas */
  readonly source: string | undefined
  /** the moment of the recorded data that a replayed answer rests on */
  readonly replayAsOf: string | undefined
  /** requests of the day; undefined where they are not counted */
  readonly limit: number | undefined
  readonly remaining: number | undefined
}

const { origin } = location
const hosts = { url: origin, replayUrl: `${origin}/replay`, streamUrl: origin }

export const client = createClient(hosts)

interface Options {
  /** a past moment in New York */
  readonly at: string | undefined
  readonly signal: AbortSignal
}

/** Asks the service, which knows the reader by the cookie of the session. Throws ApiError. */
export async function ask<Path extends GetPath>(
  path: Path,
  params: ParamsOf<Path>,
  { at, signal }: Options
): Promise<Asked<AnswerOf<Path>>> {
  let heads = new Headers()
  const asking = createClient({
    ...hosts,
    fetch: async (...sent) => {
      const response = await fetch(...sent)
      heads = response.headers
      return response
    }
  })
  const get = asking.get as (path: Path, params: ParamsOf<Path>, options: object) => Promise<AnswerOf<Path>>
  const answer = await get(path, params, { at, signal })
  return { answer, freshness: freshnessOf(heads) }
}

function freshnessOf(heads: Headers): Freshness {
  return {
    age: numberOf(heads.get('x-data-age')),
    isStale: heads.get('x-data-stale') === 'true',
    source: heads.get('x-data-source') ?? undefined,
    replayAsOf: heads.get('x-replay-as-of') ?? undefined,
    limit: numberOf(heads.get('x-ratelimit-limit')),
    remaining: numberOf(heads.get('x-ratelimit-remaining'))
  }
}

function numberOf(text: string | null): number | undefined {
  const value = Number(text ?? Number.NaN)
  return Number.isFinite(value) ? value : undefined
}
