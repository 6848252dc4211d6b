import { existsSync } from 'node:fs'
import { createCboeFiles } from '../../src/connectors/cboe/cboe-files.ts'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import type { Chain } from '../../src/market/chain.ts'
import { parseEasternDateTime } from '../../src/market/eastern.ts'
import type { Ticker } from '../../src/market/units.ts'

/** Recorded payloads next to the project, if available. */
export const recordings = '../shared/data/cboe/json'
export const areRecorded = existsSync(recordings)
const patience = () => AbortSignal.timeout(30_000)

/** A chain at the close of a session. */
export async function recorded(symbol: string, session: string): Promise<Chain> {
  const connector = await createCboeFiles({ path: recordings, asOf: parseEasternDateTime(`${session}T16:00:00`) })
  return (await connector.chain(symbol as Ticker, 0, patience()))!
}

/** Synthetic chain, for machines without the recording. */
export async function synthetic(symbol: string): Promise<Chain> {
  const noon = parseEasternDateTime('2026-07-29T12:00:00')!
  return (await createSynthetic({ seed: 1 }).chain(symbol as Ticker, noon, patience()))!
}
