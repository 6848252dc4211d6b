import { expect, test } from 'vitest'
import { killTapes } from '../../trials/kill-tapes.ts'
import { hasEngine } from '../support/engine.ts'

if (!hasEngine) console.log('skipped: the engine of the archive is not installed, so no tapes are recorded')

test.skipIf(!hasEngine)(
  'kill -9 at random prints leaves tapes that answer as if there had been none',
  async () => {
    const { faults, answers, recorded, prints } = await killTapes({ rounds: 2, seed: 1 })
    expect(faults).toEqual([])
    expect(answers).toBe(28)
    expect(recorded).toBeGreaterThan(0)
    expect(prints).toBeGreaterThan(recorded)
  },
  600_000
)
