import { describe } from 'vitest'
import { hasEngine } from '../support/engine.ts'
import { days, provesNoLookAhead } from '../support/look-ahead.ts'
import { realArchives } from '../support/real-archives.ts'

// The four proofs where snapshots are read out of session files, and days are kept in memory.
describe.skipIf(!hasEngine)('session files', () => {
  provesNoLookAhead({ ...realArchives({ filed: true }), dates: days.slice(0, 1), hours: ['T15:59:30'] })
})
