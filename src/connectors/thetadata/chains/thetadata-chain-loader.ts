import { DAYS_OF_BARS } from '../../../market/bar.ts'
import {
  addDays,
  completedSession,
  latestSession,
  previousTradingDay,
  type Session,
  session
} from '../../../market/calendar.ts'
import { easternDate, instantOfEastern } from '../../../market/eastern.ts'
import { latestMoment, momentOf } from '../../../market/payload-moment.ts'
import type { Instant, IsoDate, Ticker } from '../../../market/units.ts'
import { optionRoots } from '../../../market/wanted-roots.ts'
import type { Connector } from '../../port/connector.ts'
import { allOrAbort } from '../../port/http/all-or-abort.ts'
import { SourceError } from '../../port/source-error.ts'
import {
  contractQuotes,
  contractReports,
  contractVolumes,
  expirations,
  pastOpenInterest
} from '../thetadata-answers.ts'
import { compactDateText } from '../thetadata-requests.ts'
import type { ThetaDataQuery, ThetaDataRest } from '../thetadata-rest.ts'
import {
  interestOf,
  type MappedThetaDataChain,
  mapThetaDataClosing,
  mapThetaDataSnapshot,
  momentOfThetaDataSnapshot,
  type OpenInterestByContract,
  type ThetaDataClosing,
  type ThetaDataSnapshot
} from './thetadata-chain.ts'
import { OpenInterestOfDay } from './thetadata-open-interest.ts'
import { closingPrice, priceNow, reportedClose, thetadataDailyBars } from './thetadata-underlying.ts'

/**
 * Minute of the day (New York) from which the day's end-of-day reports are available. The vendor makes them at 17:15,
 * which takes some minutes.
 */
const REPORTED = 17 * 60 + 30

export function thetadataChains(
  rest: ThetaDataRest
): Pick<Connector, 'latest' | 'chain' | 'closingChain' | 'dailyBars'> {
  const interestOfDay = new OpenInterestOfDay(rest)
  const hasSnapshots = rest.plan !== 'free'

  /** Runs a request for each option root of a symbol, e.g. SPX and SPXW. Undefined if no root has rows. */
  const ofRoots = async <Read>(symbol: Ticker, read: (root: string) => Promise<readonly Read[] | undefined>) => {
    const lists = (await Promise.all(optionRoots(symbol).map(read))).filter((rows) => rows !== undefined)
    return lists.some((rows) => rows.length > 0) ? lists : undefined
  }
  const joined = (maps: readonly OpenInterestByContract[]): OpenInterestByContract =>
    new Map(maps.flatMap((map) => [...map]))

  async function snapshotOf(symbol: Ticker, now: Instant, signal: AbortSignal): Promise<ThetaDataSnapshot | undefined> {
    const begun = performance.now()
    const all = (root: string): ThetaDataQuery => ({ symbol: root, expiration: '*' })
    const [quotes, volumes, interest, underlying] = await allOrAbort(signal, (either) => [
      ofRoots(symbol, (root) => rest.read(contractQuotes, all(root), either)),
      ofRoots(symbol, (root) => rest.read(contractVolumes, all(root), either)),
      Promise.all(optionRoots(symbol).map((root) => interestOfDay.of(root, now, either))),
      priceNow(rest, symbol, either)
    ])
    if (quotes === undefined || underlying === undefined) return undefined
    const fetched = now + Math.round(performance.now() - begun)
    return { symbol, quotes, volumes: volumes?.flat() ?? [], interest: joined(interest), underlying, fetched }
  }

  async function mappedSnapshot(
    symbol: Ticker,
    now: Instant,
    signal: AbortSignal
  ): Promise<MappedThetaDataChain | undefined> {
    const snapshot = await snapshotOf(symbol, now, signal)
    const moment = snapshot && momentOfThetaDataSnapshot(snapshot)
    if (moment === undefined) return undefined
    const close = moment.closed ? await closingPrice(rest, symbol, moment.session, signal) : undefined
    return mapThetaDataSnapshot(snapshot!, moment, close)
  }

  async function pastInterest(symbol: Ticker, date: IsoDate, signal: AbortSignal): Promise<OpenInterestByContract> {
    if (!hasSnapshots) return new Map()
    const query = (root: string) => ({ symbol: root, expiration: '*', date: compactDateText(date) })
    const rows = await ofRoots(symbol, (root) => rest.read(pastOpenInterest, query(root), signal))
    return interestOf(rows?.flat() ?? [], date)
  }

  /**
   * Requests the newest open interest before the opening: today's if it is already published (at about 06:30),
   * otherwise the previous session's.
   */
  async function newestInterest(
    symbol: Ticker,
    past: IsoDate,
    now: Instant,
    signal: AbortSignal
  ): Promise<OpenInterestByContract> {
    const published = joined(await Promise.all(optionRoots(symbol).map((root) => interestOfDay.of(root, now, signal))))
    return published.size > 0 ? published : pastInterest(symbol, past, signal)
  }

  /** Builds a chain as of `now` from a session's end-of-day reports. Undefined if there are no reports. */
  async function mappedClosing(
    symbol: Ticker,
    past: Session,
    now: Instant,
    signal: AbortSignal
  ): Promise<MappedThetaDataChain | undefined> {
    const moment = momentOf({ fetched: now, newestTrade: past.close })
    const day = compactDateText(past.date)
    const [rows, interest, close] = await allOrAbort(signal, (either) => [
      ofRoots(symbol, (root) =>
        rest.read(contractReports, { symbol: root, expiration: '*', start_date: day, end_date: day }, either)
      ),
      moment.preOpen && hasSnapshots
        ? newestInterest(symbol, past.date, now, either)
        : pastInterest(symbol, past.date, either),
      reportedClose(rest, symbol, past.date, either)
    ])
    if (rows === undefined || close === undefined) return undefined
    const closing: ThetaDataClosing = { symbol, reports: rows.flat(), interest, close, moment }
    return mapThetaDataClosing(closing)
  }

  /**
   * Whether the vendor lists options on a symbol. This is requested separately, because a listed symbol may have no
   * data on a day.
   */
  async function isListed(symbol: Ticker, signal: AbortSignal): Promise<boolean> {
    return (await ofRoots(symbol, (root) => rest.read(expirations, { symbol: root }, signal))) !== undefined
  }

  return {
    latest: hasSnapshots ? latestMoment : (now) => reportedSession(now).close,
    async chain(symbol, now, signal, check) {
      const today = session(easternDate(now))
      const isLive = hasSnapshots && today !== undefined && now >= today.open
      const live = isLive ? await mappedSnapshot(symbol, now, signal) : undefined
      const past = hasSnapshots ? completedSession(now) : reportedSession(now)
      const shownAt = hasSnapshots ? now : past.close
      const mapped = live ?? (await mappedClosing(symbol, past, shownAt, signal))
      if (mapped === undefined) {
        if (!(await isListed(symbol, signal))) return undefined
        throw new SourceError('unavailable', `ThetaData lists options of ${symbol}, and has no quotes of them now`)
      }
      check?.(mapped.chain, mapped)
      return mapped.chain
    },
    async closingChain(symbol, date, signal) {
      const past = session(date)
      return past && (await mappedClosing(symbol, past, past.close, signal))?.chain
    },
    async dailyBars(symbol, now, signal) {
      const { date } = completedSession(now)
      return thetadataDailyBars(rest, symbol, addDays(date, -DAYS_OF_BARS), date, signal)
    }
  }
}

/** Latest session whose end-of-day reports are available. */
function reportedSession(now: Instant): Session {
  const latest = latestSession(now)
  const isReported = now >= instantOfEastern(latest.date, REPORTED)
  return isReported ? latest : session(previousTradingDay(latest.date))!
}
