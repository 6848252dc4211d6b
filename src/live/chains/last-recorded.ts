import { allResolved, type MaybePromise } from '../../api/maybe-promise.ts'
import type { StoredSnapshot } from '../../archive/history-store.ts'
import type { Connector } from '../../connectors/port/connector.ts'
import { type After, endsWithin } from '../../facts/bounded-wait.ts'
import { LAST_RECORDED_WAIT } from '../../facts/freshness.ts'
import { previousTradingDay } from '../../market/calendar.ts'
import type { Dividend } from '../../market/dividend.ts'
import { easternDate } from '../../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { RateCurve } from '../../pricing/assumptions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Engine } from '../../workers/engine.ts'
import type { MarketEventBus, PastArchive } from '../market-events.ts'
import type { LiveSymbol } from './live-symbol.ts'

export interface LastRecordedOptions {
  readonly engine: Pick<Engine, 'run' | 'forget'>
  readonly source: Pick<Connector, 'synthetic'>
  /** Archive of what was recorded; undefined if there is none. */
  readonly archive?: Pick<PastArchive, 'snapshot' | 'closingSnapshot' | 'coverage'> | undefined
  readonly events: MarketEventBus
  /** Known dividends of a symbol; `rates` are the interest rates. Both are used to price chains. */
  readonly dividends: (symbol: Ticker) => MaybePromise<readonly Dividend[]>
  readonly rates: (session: IsoDate) => MaybePromise<RateCurve | undefined>
  readonly marketNow: () => Instant
  readonly after: After
}

/** Number of earlier sessions whose snapshots a first chain is judged by. */
const MAX_SESSIONS = 3

/**
 * The newest recorded snapshot of each symbol. The first chain from the source is judged by it, and it is served until
 * the source gives one. Made-up chains are left out: another seed or a demonstration clock is no error.
 */
export class LastRecorded {
  readonly #options: LastRecordedOptions
  readonly #restoring = new Map<LiveSymbol, Promise<PricedChain | undefined>>()

  constructor(options: LastRecordedOptions) {
    this.#options = options
  }

  /**
   * The newest snapshot of today or the last sessions, by which the first chain of a symbol is judged. Undefined if the
   * archive takes too long or has none.
   */
  toJudgeBy(symbol: Ticker): Promise<StoredSnapshot | undefined> | undefined {
    const { archive, source, marketNow, after } = this.#options
    if (archive === undefined || source.synthetic) return undefined
    const found = recentSnapshot(archive, symbol, marketNow()).catch(() => undefined)
    return endsWithin(found, LAST_RECORDED_WAIT, after).then((inTime) => (inTime ? found : undefined))
  }

  /**
   * Makes the newest recorded chain current for a symbol that has none, however old it is. Returns the current chain;
   * undefined if nothing was recorded or it cannot be read.
   */
  hold(live: LiveSymbol): Promise<PricedChain | undefined> {
    const underWay = this.#restoring.get(live)
    if (underWay !== undefined) return underWay
    const restoring = this.#hold(live)
      .catch(() => undefined)
      .finally(() => this.#restoring.delete(live))
    this.#restoring.set(live, restoring)
    return restoring
  }

  async #hold(live: LiveSymbol): Promise<PricedChain | undefined> {
    const { archive, source, engine, events, marketNow } = this.#options
    const { symbol, held } = live
    if (held.chain !== undefined || archive === undefined || source.synthetic) return held.chain
    const now = marketNow()
    const snapshot = await newestSnapshot(archive, symbol, now)
    if (snapshot === undefined) return undefined
    const dividends = this.#options.dividends(symbol)
    const rates = this.#options.rates(easternDate(now))
    const chain = await engine.run('restoreChain', { snapshot, ...(await allResolved({ dividends, rates })) })
    if (held.chain !== undefined) {
      engine.forget(chain) // the source was quicker
      return held.chain
    }
    held.replace(chain)
    live.observedAt = chain.asOf + 1000 * chain.delay
    live.restoredAt = chain.asOf
    live.isRestored = true
    events.emit('chainRestored', chain)
    return chain
  }
}

type SnapshotArchive = NonNullable<LastRecordedOptions['archive']>

/** The newest recorded snapshot of a symbol by a moment, today or in the last sessions. */
async function recentSnapshot(
  archive: Pick<SnapshotArchive, 'snapshot' | 'closingSnapshot'>,
  symbol: Ticker,
  at: Instant
): Promise<StoredSnapshot | undefined> {
  let found = await archive.snapshot(symbol, at)
  let date = easternDate(at)
  for (let sessions = 0; found === undefined && sessions < MAX_SESSIONS; sessions++) {
    date = previousTradingDay(date)
    found = await archive.closingSnapshot(symbol, date)
  }
  return found?.fidelity === 'recorded' ? found : undefined
}

/** The newest recorded snapshot of a symbol by a moment, of whatever day. */
async function newestSnapshot(
  archive: SnapshotArchive,
  symbol: Ticker,
  at: Instant
): Promise<StoredSnapshot | undefined> {
  const recent = await recentSnapshot(archive, symbol, at)
  if (recent !== undefined) return recent
  const today = easternDate(at)
  const { days = [] } = (await archive.coverage(symbol)) ?? {}
  const day = days.findLast(({ date, fidelity }) => date < today && fidelity === 'recorded')
  return day && archive.closingSnapshot(symbol, day.date)
}
