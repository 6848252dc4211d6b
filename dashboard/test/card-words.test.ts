import fc from 'fast-check'
import { expect, test } from 'vitest'
import { historyWords, sessionWords } from '../src/screens/card/history-words.ts'
import { linePath } from '../src/screens/card/line-path.ts'
import { leftOutWords, sourceWords, spreadWords } from '../src/screens/card/rests-words.ts'
import {
  calibrationWords,
  flipRanges,
  flipWords,
  modelRows,
  modelWords,
  ofHundred,
  rangesOf,
  rangeWords,
  regimeWords,
  wallWords
} from '../src/screens/card/sure-words.ts'
import {
  causeWords,
  crossingWords,
  leadWords,
  missingWords,
  strikeWords,
  unexplainedWords
} from '../src/screens/card/why-words.ts'
import { barMoment } from '../src/state/chart/bar-moment.ts'
import { momentOf } from '../src/state/day/time.ts'
import { commandOf, requestPath } from '../src/state/service/request-text.ts'

/** Text with the thin spaces of figures as usual ones. */
const plain = (text: string | undefined) => text?.replaceAll('\u2009', ' ')

const nothing = { from: 0, to: 0, listing: 0, open_interest: 0, time: 0, spot: 0, volatility: 0, carry: 0 }

test('a change is told by its largest causes, vanna per point as on the page', () => {
  const parts = { ...nothing, spot: 13.2e9, volatility: -630e6, time: -305e6, open_interest: 22.4e6, carry: 422e3 }
  expect(plain(causeWords('net_gex', parts))).toBe('Price moved +$13.2 B, volatility −$630 M, time −$305 M.')
  expect(plain(causeWords('net_vex', { ...nothing, listing: -4e9 }))).toBe('Listing and expiry −$40.0 M.')
  expect(causeWords('net_gex', nothing)).toBe('Nothing has changed it.')
})

test('a cause is named if and only if it changed something, at most three, largest first', () => {
  const amount = fc.integer({ min: -1e6, max: 1e6 })
  fc.assert(
    fc.property(amount, amount, amount, (spot, volatility, time) => {
      const words = causeWords('net_dex', { ...nothing, spot, volatility, time }).toLowerCase()
      for (const [name, value] of [
        ['price moved', spot],
        ['volatility', volatility],
        ['time', time]
      ] as const)
        expect(words.includes(name)).toBe(value !== 0)
    })
  )
})

test('a lead is a ratio where it is clear, else a share, and a tie is said', () => {
  const rows = (...values: readonly number[]) => values.map((value, i) => ({ strike: 700 + 25 * i, value }))
  const lead = (margin: number | null, moved: number | null, values: readonly number[]) =>
    plain(leadWords('call_wall', { rows: rows(...values), margin, moved_overnight: moved }))
  expect(lead(5.8212, 0.02, [9.7, 1.67])).toBe(
    '700 leads 5.8 to 1 · a wall with this margin moved overnight 2 of 100 times'
  )
  expect(lead(1.12, null, [1.12, 1])).toBe('700 leads 725 by 12.0 %')
  expect(lead(1.0002, null, [1.0002, 1])).toBe('700 leads 725 by under 0.1 %')
  expect(lead(1, null, [1, 1])).toBe('700 and 725 are equal; the one nearer to spot counts')
  expect(lead(null, null, [1])).toBe('700 is the only strike with any.')
  expect(lead(null, null, [])).toBeUndefined()
  expect(plain(leadWords('max_pain', { rows: rows(100, 125), margin: 1.25, moved_overnight: null }))).toBe(
    '700 pays holders 20.0 % less than 725'
  )
})

test('the flip says its sides, its slope and the other crossings', () => {
  const crossing = (spot: number, chosen: boolean) =>
    ({ spot, slope: 5.88e9, from: 'negative', to: 'positive', chosen }) as const
  expect(crossingWords([crossing(650, false), crossing(681.15, true), crossing(702.5, false)]).map(plain)).toEqual([
    'Net gamma is negative below 681.15 and positive above; a move of 1 % there changes it by $5.88 B.',
    'It also crosses zero at 650 and 702.50.'
  ])
  expect(crossingWords([crossing(702.5, false)])).toEqual(['It crosses zero at 702.50.'])
  expect(crossingWords([])).toEqual([])
})

test('a figure that does not exist has its reason', () => {
  expect(missingWords('gamma_flip', 'one_sided')).toBe(
    'There is no gamma flip. Net gamma has one sign at every price within 50 %.'
  )
  expect(missingWords('magnet', 'no_same_day')).toBe('There is no 0DTE magnet. Nothing expires today.')
  expect(missingWords('call_wall', null)).toBeUndefined()
})

test('a change that cannot be told says which moment is not recorded', () => {
  expect(unexplainedWords(undefined)).toBe('No session before this one is recorded.')
  expect(unexplainedWords('open')).toBe('The open of this session is not recorded.')
  expect(unexplainedWords('2026-11-20T10:00:00')).toBe('Nothing is recorded of that moment.')
})

test('the gamma of a strike is told where it is among those that changed most', () => {
  const top = { top_strikes: [{ strike: 700, from: 8.83e9, to: 9.54e9 }] }
  expect(plain(strikeWords(top, 700))).toBe('Net gamma at 700 was $8.83 B and is $9.54 B.')
  expect(strikeWords(top, 650)).toBeUndefined()
  expect(strikeWords(top, null)).toBeUndefined()
})

test('quotes behind a figure: sources with a share, widths that are known, contracts that are left out', () => {
  expect(plain(sourceWords({ sigma_sources: { own_mid: 0.952, twin: 0, smile: 0.048 } }))).toBe(
    'Volatility: 95.2 % from own quotes, 4.8 % from the smile.'
  )
  expect(sourceWords({ sigma_sources: { own_mid: 0, twin: 0, smile: 0 } })).toBeUndefined()
  expect(plain(spreadWords({ spreads: { median_pct: 1.25, p95_pct: 18.2 } }))).toBe(
    'Half of the spreads are under 1.3 % of the mid, 95 of 100 under 18.2 %.'
  )
  expect(spreadWords({ spreads: { median_pct: null, p95_pct: null } })).toBeUndefined()
  expect(leftOutWords({ left_out: [{ reason: 'no_open_interest', contracts: 1898, open_interest: 0 }] })).toBe(
    'Contracts left out: 1,898 without open interest.'
  )
  expect(leftOutWords({ left_out: [] })).toBeUndefined()
})

test('a share is a count of a hundred, and certain only if it is', () => {
  expect([0, 0.001, 0.02, 0.997, 1].map(ofHundred)).toEqual([
    '0 of 100',
    'fewer than 1 of 100',
    '2 of 100',
    'more than 99 of 100',
    '100 of 100'
  ])
})

const quantiles = { p05: 1e9, p25: 2e9, p50: 3e9, p75: 4e9, p95: 5e9 }
const band = {
  value: 3e9,
  expected: 3e9,
  shift: 0,
  calibration: 'prior' as const,
  positions: quantiles,
  quotes: { low: 2.9e9, high: 3.1e9 },
  sign: quantiles,
  combined: quantiles
}

test('bands are told as nine of ten cases; those of net delta know no sides', () => {
  expect(plain(rangeWords('net_gex', quantiles))).toBe('Between $1.00 B and $5.00 B in 90 of 100 cases.')
  expect(plain(rangeWords('net_vex', quantiles))).toBe('Between $10.0 M and $50.0 M in 90 of 100 cases.')
  expect(rangesOf('net_gex', band).map(({ name }) => name)).toEqual(['Positions', 'Sides', 'Bid and ask', 'Combined'])
  expect(rangesOf('net_dex', band).map(({ name }) => name)).toEqual(['Positions', 'Bid and ask', 'Combined'])
})

test('a flip without quantiles has no band, and draws without one are counted', () => {
  const none = { p05: null, p25: null, p50: null, p75: null, p95: null, share_without: 0.97 }
  const some = { p05: 676.8, p25: 679, p50: 681, p75: 683, p95: 685.9, share_without: 0 }
  expect(flipWords(some)).toBe('Between 676.80 and 685.90 in 90 of 100 draws.')
  expect(flipWords({ ...some, share_without: 0.2 })).toBe(
    'Between 676.80 and 685.90 in 90 of 100 draws that have a flip. No flip in 20 of 100 draws.'
  )
  expect(flipWords(none)).toBe('Too few draws have a flip to say where it lies. No flip in 97 of 100 draws.')
  expect(flipRanges({ value: null, positions: none, combined: some }).map(({ name }) => name)).toEqual(['Combined'])
})

test('regime, walls and corrections are sentences', () => {
  expect(regimeWords({ positive_positions: 1, positive_combined: 0.96 })).toBe(
    'Net gamma is positive in 96 of 100 cases.'
  )
  expect(regimeWords({ positive_positions: null, positive_combined: null })).toMatch(/cannot be said/)
  expect(wallWords('call wall', [{ strike: 700, probability: 1 }])).toBe(
    '700 is the call wall in every draw of positions.'
  )
  expect(wallWords('put wall', [{ strike: 650, probability: 0.6 }])).toBe(
    '650 is the put wall in 60 of 100 draws of positions.'
  )
  expect(wallWords('put wall', [])).toBe('No strike is the put wall in any draw.')
  expect(calibrationWords('prior')).toBe('Too few mornings are recorded to correct the bands.')
  expect(plain(calibrationWords({ basis: 'symbol', mornings: 20, held_pct: 90, class: 'etf' }))).toBe(
    'Corrected by 20 mornings of the symbol, of which 90 % lay inside.'
  )
})

test('models that agree are counted among those there are; a missing one has its reason', () => {
  const model = (id: 'convention' | 'all_short' | 'tape', regime: 'positive_gamma' | 'negative_gamma' | null) => ({
    id,
    available: regime !== null,
    reason: regime === null ? 'No prints.' : null,
    net_gex: regime === null ? null : 1e9,
    net_vex: null,
    net_chex: null,
    dealer_delta: null,
    gamma_flip: null,
    regime,
    call_wall: regime === null ? null : 700,
    put_wall: null
  })
  const models = [model('convention', 'positive_gamma'), model('all_short', 'negative_gamma'), model('tape', null)]
  expect(modelWords({ agreement: 0.5, models })).toBe('Net gamma is positive by 1 of 2 dealer models.')
  expect(modelWords({ agreement: null, models })).toMatch(/no sign/)
  expect(modelRows('call_wall', { models }).map(({ value, reason }) => [value, reason])).toEqual([
    [700, undefined],
    [700, undefined],
    [null, 'No prints.']
  ])
})

test('closes say how long a strike has stood, and between what another figure moved', () => {
  const closes = (...values: readonly number[]) => values.map((value, i) => ({ date: `2026-11-${16 + i}`, value }))
  expect(historyWords('call_wall', closes(700, 700, 700))).toBe('At 700 at all of the last 3 closes.')
  expect(historyWords('put_wall', closes(640, 650, 650))).toBe('At 650 since Tue 17 Nov, before at 640.')
  expect(plain(historyWords('net_gex', closes(1e9, -2e9, 3e9)))).toBe(
    'Lowest −$2.00 B on Tue 17 Nov, highest $3.00 B on Wed 18 Nov.'
  )
  expect(historyWords('gamma_flip', closes(681.15))).toBe('681.15 at the close of Mon 16 Nov, the only one recorded.')
  expect(historyWords('net_gex', [])).toBe('No close with this figure is recorded before this moment.')
})

test('a session is told by its moments', () => {
  const samples = (...values: readonly number[]) => values.map((value, i) => ({ time: `1${i}:30`, value }))
  expect(sessionWords('magnet', [])).toBe('No minute of this session with this figure is recorded yet.')
  expect(sessionWords('magnet', samples(695, 700, 700))).toBe('At 700 since 11:30, before at 695.')
  expect(sessionWords('call_wall', samples(700, 700))).toBe('At 700 since 10:30.')
  expect(sessionWords('zero_dte.pin_score', samples(40, 71, 55))).toBe('Lowest 40 at 10:30, highest 71 at 11:30.')
  expect(plain(sessionWords('flow.hedge.delta', samples(-2e9)))).toBe('−$2.00 B at 10:30, the only moment recorded.')
})

test('a line of closes is within its picture', () => {
  expect(linePath([1, 3, 2], false)).toBe('M0 37L50 3L100 20')
  expect(linePath([1, 3, 2], true)).toBe('M0 37H50V3H100V20')
  expect(linePath([5, 5], false)).toBe('M0 20L100 20')
})

test('the command asks for what the page shows', () => {
  const asked = { path: '/v1/exposure/explain/SPY', params: { metric: 'call_wall' }, at: undefined, set: undefined }
  expect(commandOf('https://desk.example', requestPath(asked))).toBe(
    "curl -H 'X-Api-Key: YOUR_KEY' 'https://desk.example/v1/exposure/explain/SPY?metric=call_wall'"
  )
  expect(requestPath({ ...asked, at: '2026-11-20T11:30:00', set: '2026-12-18,2027-01-15' })).toBe(
    '/replay/v1/exposure/explain/SPY?metric=call_wall&expirations=2026-12-18,2027-01-15&at=2026-11-20T11:30:00'
  )
})

test('a bar is picked at its end, no later than the close, or else at its beginning, never at the moment shown', () => {
  const at = (wall: string) => momentOf(wall)
  const HOUR = 3_600_000
  expect(barMoment(at('2026-11-20T10:30'), HOUR, at('2026-11-20T15:00'))).toBe('2026-11-20T11:30:00')
  expect(barMoment(at('2026-11-20T15:30'), HOUR, at('2026-11-23T15:00'))).toBe('2026-11-20T16:00:00')
  expect(barMoment(at('2026-11-20T10:30'), HOUR, at('2026-11-20T11:30'))).toBe('2026-11-20T10:30:00')
  expect(barMoment(at('2026-11-20T10:30'), HOUR, at('2026-11-20T10:30'))).toBeUndefined()
})
