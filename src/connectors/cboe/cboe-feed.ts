import type { DailyBar } from '../../market/bar.ts'
import type { Chain } from '../../market/chain.ts'
import { CATCH_UP, latestMoment } from '../../market/payload-moment.ts'
import type { Ticker } from '../../market/units.ts'
import type { AnswerListener } from '../port/capture/capture.ts'
import type { Connector } from '../port/connector.ts'
import type { HttpAnswer, HttpSource, Validators } from '../port/http/fetch-payload.ts'
import { fetchPayload } from '../port/http/fetch-payload.ts'
import { mostTraded } from '../port/most-traded.ts'
import type { ScanCounts } from '../port/scans.ts'
import { readingOf, SourceError } from '../port/source-error.ts'
import { readCboeChain } from './cboe-chain.ts'
import { malformed } from './cboe-payload.ts'
import { cboeSymbol } from './cboe-symbol.ts'
import { cboeTerms } from './cboe-terms.ts'
import { cboeDailyBar } from './cboe-underlying.ts'

export interface CboeFeedSettings {
  /** Base address of the payloads `<url>/SPY.json` and `<url>/_SPX.json`. */
  readonly url: string
  /** Time limit for one payload, milliseconds; 10 seconds if undefined. */
  readonly timeLimit?: number
  /** Maximum unpacked size of one payload, bytes; 64 MiB if undefined. */
  readonly sizeLimit?: number
  /** True if nobody requests chains from this feed. Daily bars then fetch the payload themselves. */
  readonly barsAlone?: boolean
  readonly onAnswer?: AnswerListener | undefined
  readonly scans?: ScanCounts | undefined
}

interface Answered {
  readonly chain: WeakRef<Chain>
  /** Daily bar of the session; undefined until the session is over. */
  readonly bar: DailyBar | undefined
  readonly validators: Validators
}

const TIME_LIMIT = 10_000
const SIZE_LIMIT = 64 * 1024 * 1024
const PACE = 15_000
/** Rate of requests for symbols outside the universe. The exchange states no limit; this rate has worked. */
const ON_DEMAND = { burst: 60, perMinute: 120 }
/** Matches the response for an unknown symbol: Cboe's file store answers with status 403 and an error in XML. */
const fileStoreError = /^\s*<(\?xml|Error)/

/**
 * Creates the connector for Cboe's delayed quotes. It has no past chains, and daily bars only of sessions whose end it
 * saw. It remembers which symbols the exchange knows. It also keeps the HTTP validators of chains that are still in
 * use: the exchange then does not send an unchanged payload again, and the same chain is returned.
 */
export function createCboeFeed(settings: CboeFeedSettings): Connector {
  const base = settings.url.replace(/\/+$/, '')
  const source: HttpSource = {
    vendor: 'Cboe',
    limits: { time: settings.timeLimit ?? TIME_LIMIT, size: settings.sizeLimit ?? SIZE_LIMIT },
    headers: { accept: 'application/json' },
    absent: { status: 403, text: fileStoreError },
    onAnswer: settings.onAnswer
  }
  const answered = new Map<Ticker, Answered>()
  const listed: ReadonlySet<Ticker> = new Set(mostTraded.map(({ symbol }) => symbol))

  const load: Connector['chain'] = async (symbol, now, signal, check) => {
    const held = answered.get(symbol)
    const heldChain = held?.chain.deref()
    const address = `${base}/${encodeURIComponent(cboeSymbol(symbol))}.json`
    const validators = heldChain === undefined ? undefined : held?.validators
    const answer = await fetchPayload(source, { address, held: validators, now, signal })
    if (answer.status === 'unchanged') {
      if (heldChain === undefined) throw malformed('it is said to be unchanged, and none was held')
      return heldChain
    }
    if (answer.status === 'absent') {
      const expected = answered.has(symbol) || (answered.size === 0 && listed.has(symbol))
      if (expected) throw missing(symbol, answer)
      return undefined
    }
    const { head, chain, reading } = read(symbol, answer.bytes)
    check?.(chain, { payload: answer.bytes, reading, servedAt: answer.servedAt })
    answered.set(symbol, { chain: new WeakRef(chain), bar: cboeDailyBar(head), validators: answer.validators })
    return chain
  }

  function read(symbol: Ticker, bytes: Buffer) {
    return readingOf(bytes, () => {
      const { head, chain, reading } = readCboeChain(bytes, settings.scans)
      if (chain.symbol !== symbol) throw malformed(`it is of ${chain.symbol} where ${symbol} was asked for`)
      if (chain.size === 0 && listed.has(symbol)) throw malformed(`it lists no options of ${symbol}`)
      return { head, chain, reading }
    })
  }

  return {
    name: 'cboe',
    synthetic: false,
    provides: ['chains', 'bars'],
    terms: cboeTerms,
    pace: PACE,
    delay: CATCH_UP,
    onDemand: ON_DEMAND,
    universe: mostTraded,
    tickers: [...listed].sort(),
    fixedAt: undefined,
    latest: latestMoment,
    chain: load,
    holdsPast: false,
    closingChain: async () => undefined,
    dailyBars: async (symbol, now, signal) => {
      if (settings.barsAlone) await load(symbol, now, signal)
      const bar = answered.get(symbol)?.bar
      return bar === undefined ? [] : [bar]
    }
  }
}

function missing(symbol: Ticker, { code }: Extract<HttpAnswer, { status: 'absent' }>): SourceError {
  return code === 403
    ? new SourceError('refused', `Cboe refuses ${symbol}, which it is known to list`)
    : new SourceError('unavailable', `Cboe has nothing at the address of ${symbol}, which it is known to list`)
}
