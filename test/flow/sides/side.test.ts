import { expect, test } from 'vitest'
import { Judge } from '../../../src/flow/sides/judge.ts'
import { MAX_QUOTE_AGE } from '../../../src/flow/sides/side.ts'
import {
  aggressorOf,
  aggressors,
  CANCEL,
  deciderOf,
  deciders,
  EXTENDED,
  emptyPrints,
  MARKED,
  MULTI_LEG,
  NO_PRICE,
  sideOf,
  sides
} from '../../../src/market/print.ts'
import { testRecorded } from '../recorded-tapes.ts'

interface Case {
  readonly price: number
  readonly bid: number | null
  readonly ask: number | null
  readonly quote_age_s: number
  readonly last_different: number | null
  readonly last_different_age_s?: number
  readonly side: string
  readonly aggressor: string
  readonly decided_by: string
}

const unit = (price: number | null) => (price === null ? NO_PRICE : Math.round(price * 1e4))
const named = (judged: number) => ({
  side: sides[sideOf(judged)] as string,
  aggressor: aggressors[aggressorOf(judged)] as string,
  decided_by: deciders[deciderOf(judged)] as string
})

testRecorded('every case of the classification is judged as other code judges it', (_, results) => {
  const cases = results.get('cases.classification') as readonly Case[]
  expect(cases.length).toBe(33)
  for (const given of cases) {
    const rows = emptyPrints(2)
    rows.bid.fill(NO_PRICE)
    rows.ask.fill(NO_PRICE)
    const judge = new Judge('option')
    rows.ts[1] = 1e9
    if (given.last_different !== null) {
      rows.price[0] = unit(given.last_different)
      rows.ts[0] = rows.ts[1] - given.last_different_age_s! * 1e6
      judge.judge(rows, 0)
    }
    const isFresh = given.quote_age_s * 1000 <= MAX_QUOTE_AGE.option
    rows.price[1] = unit(given.price)
    rows.bid[1] = isFresh ? unit(given.bid) : NO_PRICE
    rows.ask[1] = isFresh ? unit(given.ask) : NO_PRICE
    const { side, aggressor, decided_by } = given
    expect(named(judge.judge(rows, 1)), JSON.stringify(given)).toEqual({ side, aggressor, decided_by })
  }
})

testRecorded('every recorded print gets the side, label and rule that other code gave it', (tapes, results) => {
  for (const { name, prints } of tapes) {
    const rows = Array.from({ length: prints.length }, (_, at) => at).filter((at) => (prints.flags[at] & CANCEL) === 0)
    const judged = rows.map((at) => ({ at, ...named(prints.judged[at]) }))
    const letters = judged.map(({ side }) => side[0]).join('')
    expect(letters).toBe(results.get(`${name}.sides`))
    const rules = judged.map(({ at, decided_by }) => ((prints.flags[at] & MARKED) !== 0 ? 'marked' : decided_by))
    expect(counts(rules)).toEqual(results.get(`${name}.steps`))
    expect(counts(judged.map(({ side }) => side))).toEqual(results.get(`${name}.side_prints`))
    expect(counts(judged.map(({ aggressor }) => aggressor))).toEqual(results.get(`${name}.aggressors`))
    const volume: Record<string, number> = {}
    for (const { at, side } of judged) volume[side] = (volume[side] ?? 0) + prints.size[at]
    expect(volume).toEqual(results.get(`${name}.side_volume`))
  }
})

testRecorded('a judge that only noted the rows before goes on as the one that judged them', (tapes) => {
  for (const { prints } of tapes) {
    for (const cut of [1, 100, 500, 900]) {
      const judge = new Judge('option')
      for (let at = 0; at < cut; at++) judge.note(prints, at)
      for (let at = cut; at < prints.length; at++) {
        if ((prints.flags[at] & CANCEL) === 0) expect(judge.judge(prints, at)).toBe(prints.judged[at])
      }
    }
  }
})

test('only eligible prints read and write the memory of prices', () => {
  const rows = emptyPrints(4)
  rows.bid.fill(NO_PRICE)
  rows.ask.fill(NO_PRICE)
  rows.price.set([100, 120, 110, 110])
  rows.flags.set([0, MULTI_LEG, EXTENDED, 0])
  const judge = new Judge('option')
  const judged = [0, 1, 2, 3].map((at) => named(judge.judge(rows, at)))
  expect(judged.map(({ decided_by }) => decided_by)).toEqual(['none', 'none', 'none', 'tick'])
  expect(judged[3].side).toBe('buy')
})

function counts(names: readonly string[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const name of names) sums[name] = (sums[name] ?? 0) + 1
  return sums
}
