import { expect, test } from 'vitest'
import { viewBytes } from '../../src/flow/view-bytes.ts'

test('bytes of a view are those of its columns, also in parts of it, and of its plain figures', () => {
  const view = {
    symbol: 'SPY',
    known: undefined,
    version: 1,
    bought: new Int32Array(10),
    closing: { openInterest: new Float64Array(3).subarray(1) },
    samples: [
      { t: 1, spot: 2, flip: null },
      { t: 1, spot: 2, flip: 3 }
    ]
  }
  expect(viewBytes(view)).toBe(8 + 40 + 16 + 5 * 8)
  expect(viewBytes(undefined)).toBe(0)
})
