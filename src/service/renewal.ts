import type { Engine } from '../engine/engine.ts'
import type { LiveMarket } from '../live/live-market.ts'
import { renewRecords } from '../live/outdated-records.ts'
import type { Ticker } from '../market/units.ts'
import type { Log } from '../server/log.ts'
import type { Ending } from './ending.ts'
import type { Recording } from './recording.ts'

/** Makes daily records of older formulas anew, behind everything else, and says in one line what came of it. */
export function startRenewal(
  { store, outdated, watch }: Recording,
  { engine, live }: { readonly engine: Engine; readonly live: LiveMarket },
  log: Log,
  ending: Ending
): void {
  if (store === undefined || outdated === undefined || watch === undefined) return
  const stopping = new AbortController()
  const onRecords = (symbol: Ticker) => live.renewDays(symbol, 'records')
  const options = { store, engine, signal: stopping.signal, onRecords }
  const done = outdated()
    .then((days) => renewRecords(days, options))
    .then(
      ({ renewed, left, fault }) => {
        const text = 'daily records of older formulas were made anew; those without a recorded close stay as they were'
        if (fault !== undefined) log.warn({ renewed, left, err: fault }, `${text}, and so do those that failed`)
        else if (renewed + left > 0) log.info({ renewed, left }, text)
      },
      (error) => {
        if (!ending.begun) log.error({ err: error }, 'daily records of older formulas could not be made anew')
      }
    )
  ending.add(() => {
    stopping.abort()
    return done
  })
}
