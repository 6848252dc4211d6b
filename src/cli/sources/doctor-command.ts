import { ConfigError } from '../../config/config.ts'
import { settings } from '../../config/settings.ts'
import { endOfCapture } from '../../connectors/port/capture/capture-place.ts'
import type { Connector, ReceivedPayload } from '../../connectors/port/connector.ts'
import { pause } from '../../connectors/port/pause.ts'
import type { PrintFeed } from '../../connectors/port/prints/print-feed.ts'
import { type ReferenceSource, referenceCapabilities } from '../../connectors/port/reference.ts'
import { SourceError, type SourceFault } from '../../connectors/port/source-error.ts'
import type { StreamLimit } from '../../connectors/port/streams/stream-budget.ts'
import { createReferences, references } from '../../connectors/reference-registry.ts'
import { connectors, createConnector } from '../../connectors/registry.ts'
import { addDays } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import { readSymbol } from '../../market/security.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { CliCommand } from '../command.ts'
import { AnswerCounts } from './answer-counts.ts'
import { chainReport, counted, type ReportLine } from './chain-report.ts'

const ofConnectors = [...connectors, ...references].flatMap(({ settings }) => Object.keys(settings))
const withFiles = ofConnectors.flatMap((name) => [name, `${name}-file`]).filter((name) => Object.hasOwn(settings, name))
const named = ['source', 'bars', 'prints', ...referenceCapabilities, ...withFiles, 'capture', 'as-of', 'clock']

/**
 * Time limit for loading a chain, milliseconds. One chain may take several requests, and each may wait for the source's
 * rate limit.
 */
const CHAIN_LIMIT = 180_000
/** Number of past days for which reference data, such as interest rates, is requested. */
const DAYS_OF_REFERENCES = 30
const STREAM_LIMIT = 20_000
/**
 * Largest normal difference between the source's clock and ours, milliseconds. The Date header has whole seconds, and
 * the network adds delay.
 */
const CLOCK_TOLERANCE = 2500

export const doctorCommand: CliCommand = {
  name: 'doctor',
  positionals: [],
  summary: 'request one symbol from the sources and say in plain words what works, what is odd and what is missing',
  flags: { symbol: { value: 'ticker', help: 'symbol to request', fallback: 'SPY' } },
  settings: Object.fromEntries(named.map((name) => [name, settings[name]])),
  async run({ config, flags: { symbol: text = 'SPY' }, terminal }) {
    const symbol = readSymbol(String(text))
    if (symbol === undefined) throw new ConfigError([`--symbol must be a ticker such as SPY; it is ${text}`])
    const { marketClock, sourceSettings } = await import('../../app/source-choice.ts')
    const { referenceSettings } = await import('../../app/running-references.ts')
    const counts = new AnswerCounts(Date.now)
    const listen = (source: string, answer: Parameters<AnswerCounts['add']>[1]) => counts.add(source, answer)
    const source = sourceSettings(config)
    const { capture } = source
    const connector = await createConnector(source, connectors, listen)
    const stated = await createReferences(referenceSettings(config, capture))
    const now = marketClock(config, connector)
    const faults: SourceError[] = []
    for (const part of [
      ...checksOf(connector, symbol, now, counts),
      ...stated.map((source) => referenceCheck(source, symbol))
    ]) {
      terminal.out(part.title)
      for (const [about, found] of await outcome(part, counts, faults)) terminal.out(`  ${about.padEnd(12)} ${found}`)
    }
    if (capture !== undefined) terminal.out(endOfCapture(capture) ?? `raw answers are kept in ${capture.folder}`)
    if (faults.length > 0) throw faults[0]
  }
}

interface Check {
  readonly title: string
  /** Name of the source to which the check sends its requests. */
  readonly source: string
  readonly report: () => Promise<readonly ReportLine[]>
}

function checksOf(connector: Connector, symbol: Ticker, now: () => Instant, counts: AnswerCounts): readonly Check[] {
  const { chains = connector, bars = connector, prints = connector } = connector.suppliers ?? {}
  const parts = [
    ...(chains.alternatives ?? [chains]).map((source) => ({
      title: `chains of ${source.name}`,
      source: source.name,
      report: () => chainsReport(source, symbol, now, counts)
    })),
    { title: `daily bars of ${bars.name}`, source: bars.name, report: () => barsReport(connector, symbol, now()) }
  ]
  const feed = prints.prints
  if (feed === undefined) return parts
  const report = () => printsReport(prints, feed, symbol, now)
  return [...parts, { title: `prints of ${prints.name}`, source: prints.name, report }]
}

/** Check that reads a source of reference data, such as interest rates, once and stores nothing. */
function referenceCheck(source: ReferenceSource, symbol: Ticker): Check {
  return {
    title: `${source.name}, which states what is known beside the market`,
    source: source.name,
    async report() {
      const now = Date.now()
      const from = addDays(easternDate(now), -DAYS_OF_REFERENCES)
      const lines: ReportLine[] = []
      let reports = 0
      for await (const stated of source.read({ now, from, symbols: [symbol] }, AbortSignal.timeout(CHAIN_LIMIT))) {
        if ('earnings' in stated) {
          reports += stated.earnings.length
          continue
        }
        if ('filings' in stated) {
          reports += stated.filings.length
          continue
        }
        if ('dividends' in stated) {
          lines.push([stated.symbol, counted(stated.dividends.length, 'dividend')])
          continue
        }
        const last = stated.bars.at(-1)
        const newest = last === undefined ? 'nothing lately' : `${last.close} on ${last.date}`
        lines.push([stated.symbol, `${counted(stated.bars.length, 'day')}, ${newest}`])
      }
      return reports === 0 ? lines : [...lines, ['understood', counted(reports, 'report')]]
    }
  }
}

async function outcome(
  { source, report }: Check,
  counts: AnswerCounts,
  faults: SourceError[]
): Promise<readonly ReportLine[]> {
  try {
    return await report()
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    faults.push(error)
    const { ahead } = counts.of(source)
    // A wrong clock is shown too, since it can be the only reason why a login fails.
    const clock: readonly ReportLine[] = isOff(ahead) ? [['clock', clockText(ahead)]] : []
    return [['failed', `${inWords[error.fault]}: ${error.message}`], ...clock]
  }
}

/** For each kind of source failure, words that tell the operator what to check. */
const inWords: Readonly<Record<SourceFault, string>> = {
  unavailable: 'it cannot be reached or is down',
  rate_limited: 'it accepts no more requests now',
  refused: 'it refused the request because of the credentials or of what the account includes',
  malformed: 'it was reached and accepted the credentials, but its response is not understood',
  timeout: 'it did not respond in time'
}

async function chainsReport(
  source: Connector,
  symbol: Ticker,
  now: () => Instant,
  counts: AnswerCounts
): Promise<readonly ReportLine[]> {
  const { name, budget } = source
  let received: ReceivedPayload | undefined
  const asked = now()
  const begun = performance.now()
  const chain = await source.chain(symbol, asked, AbortSignal.timeout(CHAIN_LIMIT), (_, shown) => {
    received = shown ?? received
  })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  if (chain === undefined) return [['unknown', `the source responded but does not know ${symbol}`]]
  const { answers, bytes, ahead } = counts.of(name)
  const lines: ReportLine[] = []
  if (answers > 0) {
    lines.push(['reached', `${counted(answers, 'answer')} in ${seconds} s, ${(bytes / 2 ** 20).toFixed(1)} MiB`])
    lines.push(['credentials', 'accepted, if it needs any'], ['clock', clockText(ahead)])
  }
  if (budget !== undefined) lines.push(['limit', limitText(budget.perMinute, answers)])
  return [...lines, ...chainReport(chain, received, asked)]
}

function isOff(ahead: number | undefined): boolean {
  return ahead !== undefined && Math.abs(ahead) > CLOCK_TOLERANCE
}

function clockText(ahead: number | undefined): string {
  if (ahead === undefined) return 'the source states no time'
  if (!isOff(ahead)) return 'this machine and the source agree'
  const seconds = Math.round(Math.abs(ahead) / 1000)
  return `this machine is ${seconds} s ${ahead > 0 ? 'behind' : 'ahead of'} the source: set its clock`
}

function limitText(perMinute: number, requests: number): string {
  const every = Math.ceil((60 * requests) / perMinute)
  return `${Math.floor(perMinute)} requests a minute; this chain took ${requests}: every ${every} s when it is alone`
}

async function barsReport(connector: Connector, symbol: Ticker, now: Instant): Promise<readonly ReportLine[]> {
  const bars = await connector.dailyBars(symbol, now, AbortSignal.timeout(CHAIN_LIMIT))
  const [first, last] = [bars[0], bars.at(-1)]
  if (first === undefined) return [['none', 'no daily bars now']]
  return [['understood', `${counted(bars.length, 'day')}, ${first.date} to ${last!.date}, last close ${last!.close}`]]
}

/** Connects to the source's stream of prints, reports how that went, and disconnects. */
async function printsReport(
  { streams }: Connector,
  feed: PrintFeed,
  symbol: Ticker,
  now: () => Instant
): Promise<readonly ReportLine[]> {
  const stop = new AbortController()
  let prints = 0
  const found = await new Promise<string>((resolve, reject) => {
    const sink = {
      messages: (batch: readonly unknown[]) => void (prints += batch.length),
      state: () => resolve('it is connected'),
      refused: () => {},
      interrupted: (reason: string) => resolve(`it is not connected: ${reason}`)
    }
    feed.run(() => [symbol], sink, stop.signal, now).catch(reject)
    void pause(STREAM_LIMIT, stop.signal).then(() => resolve(`nothing was received within ${STREAM_LIMIT / 1000} s`))
  }).finally(() => stop.abort())
  return [
    ['stream', prints === 0 ? found : `${found}, ${counted(prints, 'message')}`],
    ...(streams === undefined ? [] : [['limit', streamText(streams.limit)] as const]),
    ['delay', feed.delay === 0 ? 'none' : `${feed.delay} s behind the market`]
  ]
}

function streamText({ connections, prints, quotes }: StreamLimit): string {
  return [
    prints === undefined ? 'prints of the whole market' : `prints of ${counted(prints, 'contract')} at once`,
    quotes === undefined ? 'quotes come with them' : `quotes of ${counted(quotes, 'contract')}`,
    ...(connections === undefined ? [] : [`${counted(connections, 'connection')} an account`])
  ].join(', ')
}
