import { describe } from 'vitest'
import type { IsoDate } from '../../src/market/units.ts'
import { recordedPayloads } from '../support/cboe-payload.ts'
import { hasEngine } from '../support/engine.ts'
import { accompanied, importedMinutes, importedPayloads } from '../support/imported-days.ts'
import { recordedMinutes } from '../support/lean-files.ts'
import { provesNoLookAhead } from '../support/look-ahead.ts'
import { realArchives } from '../support/real-archives.ts'

// The four proofs over real chains, in the real archive.

const minutes = recordedMinutes()
const payloads = recordedPayloads()

describe.skipIf(!hasEngine || minutes === undefined)('recorded minutes', () => {
  /** The minutes around the moments that are asked about; the others would be written and never be read. */
  const around = /T(14:3[1-3]|16:59|17:0[01]|17:5[89]|18:00):00/
  provesNoLookAhead({
    ...realArchives(),
    dates: [['a half day of GOOG', '2015-12-24']],
    comparing: ['exposure.attribution'],
    hours: ['T09:31:00', 'T12:00:00', 'T12:59:30', 'T13:00:00', ''],
    subjects: { symbol: 'GOOG', level: 'VIX', required: { symbols: 'GOOG,VIX,NOPE', index: 'GOOG' } },
    async rowsOf(date) {
      const snapshots = await importedMinutes(minutes!)
      const kept = snapshots.filter(({ chain }) => around.test(new Date(chain.asOf).toISOString()))
      return accompanied(kept, date as IsoDate)
    }
  })
})

// The first of all sessions and one with others before and after it: the remaining six are like one of the two.
describe.skipIf(!hasEngine || payloads === undefined).each([
  ['the first recorded session of SPY', '2022-07-12', ['exposure.attribution']],
  ['a session of SPY between others', '2026-07-31', []]
] as const)('recorded closes', (name, day, comparing) => {
  provesNoLookAhead({
    ...realArchives(),
    dates: [[name, day]],
    comparing,
    hours: [''],
    subjects: { symbol: 'SPY', level: 'VIX', required: { symbols: 'SPY,VIX,NOPE', index: 'SPY' } },
    async rowsOf(date) {
      return accompanied(await importedPayloads(payloads!, 'SPY'), date as IsoDate)
    }
  })
})
