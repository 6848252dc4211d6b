import { beforeAll, describe, expect, test } from 'vitest'
import { features } from '../../src/api/feature.ts'
import { readsTapes } from '../../src/api/inputs/inputs.ts'
import type { HistoryStore, StoredSnapshot } from '../../src/archive/history-store.ts'
import { endpointsWith } from '../../src/endpoints/index.ts'
import { addDays } from '../../src/market/calendar.ts'
import { type Dividend, knownFrom } from '../../src/market/dividend.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { parseMoment } from '../../src/replay/replay-moment.ts'
import { type ArchiveRows, cutRows, laterRows, poisonRows, writeRows } from './archive-rows.ts'
import { knownCustomers } from './known-holders.ts'
import { liveOver } from './live-over.ts'
import { type Further, type Question, questionsOf, type Subjects } from './questions.ts'
import { askedHours, movingFigures, recordedDay } from './recorded-days.ts'
import { replayService } from './replay.ts'
import { answerAt, expectNothingLater, expectSame, expectText, inTurn } from './same-answer.ts'

export interface LookAheadOptions {
  /** An empty archive. */
  readonly open: () => Promise<HistoryStore>
  /** Restores a chain from a snapshot of the archive; by default as the archive in memory does. */
  readonly restore?: (snapshot: StoredSnapshot, dividends?: readonly Dividend[]) => Promise<PricedChain>
  readonly hours?: readonly string[]
  readonly dates?: readonly (readonly [kind: string, date: string])[]
  /** Rows that the archive holds around a date; by default those of a day of the synthetic market. */
  readonly rowsOf?: (date: string) => Promise<ArchiveRows>
  readonly subjects?: Subjects
  /** Routes that the first moments of an archive need not answer: they compare with an earlier one. */
  readonly comparing?: readonly string[]
}

const madeUpMarket: Subjects = { symbol: 'KO', level: 'VIX', required: { symbols: 'KO,T,NOPE', index: 'XLE' } }

export const days = [
  ['a normal day', '2026-07-29'],
  ['a half day', '2026-11-27'],
  ['the day after a holiday', '2026-09-08']
] as const

/**
 * A day of the made-up market. Its shares pay what was declared before, and what is declared on that day. Sums of customers
 * are there of sessions whose open interest is published before, on and after the day.
 */
async function madeUpDay(date: string): Promise<ArchiveRows> {
  const day = date as IsoDate
  const paid = (exDate: IsoDate, declared: IsoDate, amount: number) => ({
    exDate,
    amount,
    knownFrom: knownFrom(exDate, declared)
  })
  const schedule = [paid(addDays(day, 9), addDays(day, -20), 0.5), paid(addDays(day, 16), day, 0.3)]
  const dividends = ['KO', 'T'].flatMap((symbol) =>
    schedule.map((dividend) => ({ symbol: symbol as Ticker, dividend }))
  )
  return { ...(await recordedDay(date)), dividends, customers: knownCustomers('KO' as Ticker, addDays(day, 7)) }
}

/** Everything that can be served, what is only announced by default included. */
const endpoints = endpointsWith(features)
/** Replayed endpoints that read no tapes; flow-answers.test.ts checks the others. */
export const replayed = endpoints.filter(({ replay, needs }) => replay && !readsTapes(needs))

/** Values for the parameters that could reach for another time. */
const further: Further = {
  expiration: ['0dte'],
  dte_max: ['45'],
  weight: ['volume'],
  min_oi: ['250'],
  topN: ['25'],
  strike_range: ['0.1'],
  dist: ['gaussian'],
  days: ['60'],
  fields: ['put_wall,net_gex'],
  from: ['2026-11-25'], // the day before the half day: an answer has room for some weeks by the minute
  to: ['2027-01-05'],
  every: ['5m', '1d'],
  weights: ['3,1,2'],
  by: ['time'],
  metric: ['oi_change', 'gamma_flip', 'max_pain'],
  when: ['next_open'],
  since: ['open']
}

/**
 * An answer as it is compared with that of the live service. The model `tape` is left out, with the agreement that counts it: a
 * live service infers its prints from polls that this one is not shown. `test/replay/inferred-flow.test.ts` compares it.
 */
function comparable({ endpoint }: Question, text: string | undefined): string | undefined {
  if (endpoint.id !== 'exposure.models' || text === undefined) return text
  const { agreement: _, models, ...rest } = JSON.parse(text)
  return JSON.stringify({ ...rest, models: models.filter(({ id }: { id: string }) => id !== 'tape') })
}

/**
 * The four proofs that an archive cannot leak what came later, for every replayed route: an archive cut off at the
 * moment, one whose later rows are absurd, and one that grew afterwards give the same bytes, and the live service gave
 * them when it held the same snapshots. Each archive is asked one question after the other.
 */
export function provesNoLookAhead(options: LookAheadOptions): void {
  const { open, restore, hours = askedHours, dates = days, rowsOf = madeUpDay, subjects = madeUpMarket } = options
  const { comparing = [] } = options
  const expected = new Set(replayed.map(({ id }) => id).filter((id) => !comparing.includes(id)))
  const questions = replayed.flatMap((endpoint) => questionsOf(endpoint, subjects, further))

  /** The answers of an archive with these rows to every question, and again once it has got the later ones. */
  const answersOf = async (rows: ArchiveRows, moment: string, later?: ArchiveRows) => {
    const history = await open()
    await writeRows(history, rows)
    const from = moment.slice(0, 10) // operators may serve days older than the default
    const service = replayService({ history, endpoints, from, ...(restore !== undefined && { restore }) })
    const ask = ({ address }: Question) => answerAt(service, address, moment)
    try {
      const first = await inTurn(questions, ask)
      if (later === undefined) return { first, again: first }
      await writeRows(history, later)
      return { first, again: await inTurn(questions, ask) }
    } finally {
      await service.close()
      await history.close()
    }
  }

  describe.each(dates)('on %s', (_, date) => {
    let rows: ArchiveRows
    beforeAll(async () => {
      const found = await rowsOf(date)
      rows = { ...found, figures: found.figures ?? found.snapshots.map(movingFigures) }
    })

    test.each(hours)('at %s every route gives the bytes of an archive that ended there', async (hour) => {
      const moment = `${date}${hour}`
      const at = parseMoment(moment)!
      const cut = cutRows(rows, at)
      const [{ first: full }, { first: poisoned }, grown] = await Promise.all([
        answersOf(rows, moment),
        answersOf(poisonRows(rows, at), moment),
        answersOf(cut, moment, laterRows(rows, at))
      ])
      const answered = questions.filter((_, k) => full[k].status === 200)
      expect(new Set(answered.map(({ endpoint }) => endpoint.id).filter((id) => !comparing.includes(id)))).toEqual(
        expected
      )

      const live = liveOver(rows, at, endpoints)
      for (const [k, question] of questions.entries()) {
        const { address } = question
        const answer = full[k]
        expect([200, 404], address).toContain(answer.status)
        expectSame(grown.first[k], answer, `cut: ${address}`)
        expectSame(poisoned[k], answer, `poisoned: ${address}`)
        expectSame(grown.again[k], answer, `after it grew: ${address}`)
        const past = answer.status === 200 ? answer.body : undefined
        expectText(comparable(question, await live(question)), comparable(question, past), `live: ${address}`)
        expectNothingLater(answer, at, address)
      }
    }, 900_000)
  })
}
