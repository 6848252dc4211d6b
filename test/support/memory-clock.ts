import type { WrittenAt } from '../../src/archive/history-store.ts'

let last = 0

/** The clock of archives in memory: each write has a later moment than the one before. */
export const tick = () => ++last as WrittenAt
