import { securityKind } from '../../market/security.ts'
import { MILLISECONDS_PER_HOUR, type Ticker } from '../../market/units.ts'
import type { AnswerListener } from '../port/capture/capture.ts'
import type { HttpSource } from '../port/http/fetch-payload.ts'
import { fetchBody } from '../port/http/fetch-payload.ts'
import { RequestBudget } from '../port/http/request-budget.ts'
import type { ReferenceSource } from '../port/reference.ts'
import { readFilings, readTickers, secTicker, submissionsFile } from './sec-filings.ts'

export interface SecSettings {
  /** E-mail address of the operator, which the SEC requires in every request. */
  readonly contact: string
  /** Base address, to which `submissions` is appended. */
  readonly url: string
  readonly tickersUrl: string
  readonly onAnswer?: AnswerListener | undefined
  /** Milliseconds between two requests; twice the SEC's minimum if undefined. */
  readonly pace?: number
}

/** Milliseconds between two requests. The SEC allows ten requests a second. Source: SEC, Accessing EDGAR Data. */
const PACE = 200

/** Source of earnings reports that the requested companies filed, with one request for each company. */
export function createSec({ contact, url, tickersUrl, onAnswer, pace = PACE }: SecSettings): ReferenceSource {
  const budget = new RequestBudget({ requests: 1, every: pace, maxParallel: 1 })
  const source: HttpSource = {
    vendor: 'the SEC',
    limits: { time: 30_000, size: 32 * 2 ** 20 },
    headers: { accept: 'application/json', 'user-agent': `gammawall ${contact}` },
    credentials: 'does it reach you at --sec-contact?',
    budget,
    onAnswer
  }
  return {
    name: 'sec',
    every: 3 * MILLISECONDS_PER_HOUR,
    budget,
    async *read({ symbols, from }, signal) {
      const fetch = (address: string) => budget.run(() => fetchBody(source, address, signal), signal)
      const numbers = readTickers(await fetch(tickersUrl))
      const companies = new Map<number, Ticker[]>()
      for (const symbol of symbols) {
        // Funds have a company number too, but file no earnings reports.
        const number = securityKind(symbol) === 'equity' ? numbers.get(secTicker(symbol)) : undefined
        if (number !== undefined) companies.set(number, [...(companies.get(number) ?? []), symbol])
      }
      for (const [company, named] of companies) {
        const bytes = await fetch(`${url}/submissions/${submissionsFile(company)}`)
        yield { filings: readFilings(bytes, company, named, from) }
      }
    }
  }
}
