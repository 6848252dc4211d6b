import { describe } from 'vitest'
import { hasEngine } from '../support/engine.ts'
import { provesNoLookAhead } from '../support/look-ahead.ts'
import { realArchives } from '../support/real-archives.ts'

describe.skipIf(!hasEngine)('in the real archive', () => {
  provesNoLookAhead({
    ...realArchives(),
    // One moment: every question is many queries here, and the rules are the same ones for all moments.
    dates: [['a half day', '2026-11-27']],
    hours: ['T12:00:00']
  })
})
