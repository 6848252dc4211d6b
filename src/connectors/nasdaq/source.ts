import { addDays, isTradingDay } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import { MILLISECONDS_PER_HOUR } from '../../market/units.ts'
import type { AnswerListener } from '../port/capture.ts'
import { fetchBody } from '../port/fetch-body.ts'
import type { HttpSource } from '../port/http.ts'
import type { ReferenceSource } from '../port/reference.ts'
import { RequestBudget } from '../port/request-budget.ts'
import { readReports } from './map.ts'

export interface NasdaqSettings {
  /** The address above `calendar/earnings`. */
  readonly url: string
  readonly onAnswer?: AnswerListener | undefined
  /** Between two requests, milliseconds; a second where undefined. */
  readonly pace?: number
}

/** Days that are asked for: those before today for what was reported, those after it for what is to come. */
const DAYS_BACK = 4
const DAYS_AHEAD = 28

/** The reports of all companies of the coming four weeks, and the figures of those of the last days: a request for each day. */
export function createNasdaq({ url, onAnswer, pace = 1000 }: NasdaqSettings): ReferenceSource {
  const budget = new RequestBudget({ requests: 1, every: pace, maxParallel: 1 })
  const source: HttpSource = {
    vendor: 'Nasdaq',
    limits: { time: 30_000, size: 8 * 2 ** 20 },
    // It answers what looks like a browser.
    headers: {
      accept: 'application/json, text/plain, */*',
      'accept-language': 'en-US,en;q=0.9',
      'user-agent': 'Mozilla/5.0 (compatible; gammawall)'
    },
    budget,
    onAnswer
  }
  return {
    name: 'nasdaq',
    every: 3 * MILLISECONDS_PER_HOUR,
    budget,
    async *read({ now }, signal) {
      const today = easternDate(now)
      for (let day = -DAYS_BACK; day <= DAYS_AHEAD; day++) {
        const date = addDays(today, day)
        if (!isTradingDay(date)) continue
        const address = `${url}/calendar/earnings?date=${date}`
        const bytes = await budget.run(() => fetchBody(source, address, signal), signal)
        yield { earnings: readReports(bytes, date) }
      }
    }
  }
}
