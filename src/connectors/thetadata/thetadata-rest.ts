import type { AnswerListener } from '../port/capture/capture.ts'
import { fetchPayload, type HttpSource } from '../port/http/fetch-payload.ts'
import { RequestBudget } from '../port/http/request-budget.ts'
import { pause } from '../port/pause.ts'
import { isTemporary, readingOf, SourceError } from '../port/source-error.ts'
import { readThetaDataAnswer, type ThetaDataAnswer } from './thetadata-answers.ts'
import { requestsOfPlan, type ThetaDataPlan } from './thetadata-settings.ts'

export interface ThetaDataRestSettings {
  /** Address of the terminal with its version, without a trailing slash. */
  readonly url: string
  readonly plan: ThetaDataPlan
  /** Shared memory in which all threads count their requests. */
  readonly budget?: SharedArrayBuffer | undefined
  readonly onAnswer?: AnswerListener | undefined
  /** Timeouts, milliseconds. A timeout that is left out has its usual value. */
  readonly times?: Partial<ThetaDataRestTimes>
}

/** Timeouts and pauses, milliseconds. */
export interface ThetaDataRestTimes {
  /** Time limit of one response, milliseconds. A whole chain takes seconds, and may wait for other requests. */
  readonly answer: number
  /** Pause before a temporarily failed request is retried, milliseconds. */
  readonly again: number
}

export type ThetaDataQuery = Readonly<Record<string, string>>

/** Client of the terminal's REST API; it runs as many parallel requests as the plan allows. */
export interface ThetaDataRest {
  readonly plan: ThetaDataPlan
  readonly budget: RequestBudget
  /**
   * Requests and reads the rows of a response. Undefined if the terminal has no data. Rejects with a `SourceError`, or
   * with the signal's reason.
   */
  read<Read>(
    answer: ThetaDataAnswer<Read>,
    query: ThetaDataQuery,
    signal: AbortSignal
  ): Promise<readonly Read[] | undefined>
}

const usual: ThetaDataRestTimes = { answer: 30_000, again: 500 }
const SIZE_LIMIT = 256 * 2 ** 20
const ATTEMPTS = 2
/**
 * Longest time that a request may wait for the request budget, milliseconds. A request that would wait longer is
 * refused. Requests wait only on the free plan, or after the vendor asked for a pause.
 */
const MAX_WAIT = 60_000

/**
 * Vendor-specific HTTP status codes. 472 means no data; 473 an invalid parameter, such as an unknown symbol. Source:
 * ThetaData, Error Codes.
 */
const statuses: NonNullable<HttpSource['statuses']> = {
  472: 'absent',
  473: 'absent',
  470: { fault: 'unavailable', meaning: 'a general error' },
  471: { fault: 'refused', meaning: 'the account has no plan with it; stocks, options and indexes are plans apart' },
  474: { fault: 'unavailable', meaning: 'it has lost its connection to ThetaData' },
  476: { fault: 'refused', meaning: 'it was first asked from another address: do not mix 127.0.0.1 and localhost' },
  478: { fault: 'refused', meaning: 'its session is invalid: a second terminal runs with the same account' },
  570: { fault: 'unavailable', meaning: 'the request asks for too much' },
  571: { fault: 'unavailable', meaning: 'the servers of ThetaData are starting' },
  572: { fault: 'unavailable', meaning: 'an error that it did not expect' }
}

export function createThetaDataRest({
  url,
  plan,
  budget: memory,
  onAnswer,
  times
}: ThetaDataRestSettings): ThetaDataRest {
  const { answer: time, again } = { ...usual, ...times }
  const budget = new RequestBudget(requestsOfPlan[plan], { memory, longestWait: MAX_WAIT })
  const source: HttpSource = {
    vendor: 'the Theta Terminal',
    limits: { time, size: SIZE_LIMIT },
    headers: { accept: 'text/csv' },
    statuses,
    budget,
    onAnswer
  }

  async function fetchOnce(path: string, query: ThetaDataQuery, signal: AbortSignal): Promise<Buffer | undefined> {
    await budget.turn(signal)
    const address = `${url}${path}?${new URLSearchParams(query)}`
    const answer = await budget.run(
      () => fetchPayload(source, { address, held: undefined, now: Date.now(), signal }),
      signal
    )
    if (answer.status === 'changed') return answer.bytes
    if (answer.status === 'absent' && answer.code !== 404) return undefined
    throw new SourceError(
      'unavailable',
      `the Theta Terminal has nothing at ${path}: is it version 3, at --thetadata-url?`
    )
  }

  return {
    plan,
    budget,
    async read(answer, query, signal) {
      for (let attempt = 1; ; attempt++) {
        try {
          const bytes = await fetchOnce(answer.path, query, signal)
          return bytes && readingOf(bytes, (body) => [...readThetaDataAnswer(answer, body, query['symbol'])])
        } catch (error) {
          if (attempt === ATTEMPTS || !isTemporary(error)) throw error
          await pause(again, signal)
          signal.throwIfAborted()
        }
      }
    }
  }
}
