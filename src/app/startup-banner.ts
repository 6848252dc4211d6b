import { type DemoKeys, demoKeysFile, type IssuedDemoKeys } from '../accounts/demo-keys.ts'
import { calledAs } from '../config/package.ts'
import type { Connector } from '../connectors/port/connector.ts'
import { sourceText, termsOf } from '../connectors/port/source-provenance.ts'
import { latestSession, nextTradingDay, session, weekday } from '../market/calendar.ts'
import { isMarketOpen } from '../market/clock.ts'
import { easternDate, easternDateTime } from '../market/eastern.ts'
import type { Instant, IsoDate } from '../market/units.ts'

interface StartupBanner {
  readonly version: string
  readonly address: string
  /** Address of the dashboard; undefined if it is switched off. */
  readonly dashboard?: string | undefined
  readonly replay: string
  /** Address of the host that serves the stream at /ws. */
  readonly stream: string
  readonly operations: string
  readonly source: Pick<Connector, 'name' | 'synthetic' | 'terms' | 'suppliers'>
  /** Why the source does not respond. Undefined if it does, or if that is not known yet. */
  readonly silence?: string | undefined
  /** Current market time, formatted. */
  readonly moment: string
  /** Lines that say why figures do not change at the moment; undefined while they change. */
  readonly closed: readonly string[] | undefined
  readonly data: string
  /** Demo keys are printed by the start that makes them. Later starts name their file. */
  readonly demoKeys: IssuedDemoKeys | undefined
  /** Symbol of the example request at the end of the text, such as SPY. */
  readonly example: string
  /** Whether it answers clients; a collector has nothing but its metrics. */
  readonly serves?: boolean
}

/** Terminal text printed once the service is ready: addresses, source, keys and an example request. */
export function startupBanner(shown: StartupBanner): string {
  const {
    version,
    address,
    dashboard,
    replay,
    stream,
    operations,
    source,
    silence,
    moment,
    data,
    demoKeys,
    example,
    closed = [],
    serves = true
  } = shown
  const made = source.synthetic ? ' (made-up figures, labelled so in every answer)' : ''
  const lines = [
    '',
    `gammawall ${version}`,
    '',
    ...entry('dashboard', dashboard === undefined || !serves ? [] : [dashboard]),
    ...(serves
      ? [
          `  REST           ${address}`,
          `  replay         ${replay}`,
          `  stream         ${stream.replace(/^http/, 'ws')}/ws`,
          `  documentation  ${address}/swagger`
        ]
      : []),
    `  metrics        ${operations}/metrics`,
    `  data source    ${sourceText(source)}${made}`,
    ...(silence === undefined ? [] : [`                 it does not answer: ${silence}`]),
    ...termsLines(source),
    ...entry('market moment', [moment, ...closed]),
    `  data folder    ${data}`
  ]
  if (!serves) return [...lines, ''].join('\n')
  lines.push('', ...demoLines(demoKeys, data))
  const shownKeys: DemoKeys = demoKeys?.areNew ? demoKeys.keys : {}
  const key = shownKeys.alpha ?? Object.values(shownKeys)[0] ?? 'YOUR_KEY'
  lines.push('', 'try:', '', `  curl -H 'X-Api-Key: ${key}' ${address}/v1/exposure/levels/${example}`, '')
  return lines.join('\n')
}

function demoLines(demoKeys: IssuedDemoKeys | undefined, data: string): readonly string[] {
  if (demoKeys === undefined) {
    return [`  no demo keys; make one with: ${calledAs.command} keys create --plan alpha --email you@example.com`]
  }
  if (!demoKeys.areNew) return entry('demo keys', [`in ${demoKeysFile(data)}`])
  const keys = Object.entries(demoKeys.keys)
  const width = Math.max(...keys.map(([plan]) => plan.length))
  return [
    '  demo keys, shown this once; they are kept in',
    `  ${demoKeysFile(data)}`,
    ...keys.map(([plan, key]) => `    ${plan.padEnd(width)}  ${key}`)
  ]
}

/**
 * License terms of the data; one line for each kind of data if they differ. An operator who serves others must know
 * them.
 */
function termsLines(source: StartupBanner['source']): readonly string[] {
  const terms = termsOf(source)
  if (typeof terms === 'string') return entry('terms', wrapped(terms))
  return Object.entries(terms).flatMap(([capability, text]) => entry(`terms, ${capability}`, wrapped(text)))
}

/** Formats a label and the lines that follow it. */
function entry(name: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, k) => `  ${(k === 0 ? name : '').padEnd(13)}  ${line}`)
}

const LINE_LENGTH = 90

function wrapped(text: string): readonly string[] {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1]
    if (line !== '' && line.length + word.length >= LINE_LENGTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/**
 * Lines for a service that starts while the market is closed. They say since when and until when figures stand still,
 * and how to run the demo. Undefined while the market is open.
 */
export function closedNote(now: Instant, synthetic: boolean): readonly string[] | undefined {
  if (isMarketOpen(now)) return undefined
  const last = latestSession(now)
  const today = session(easternDate(now))
  const next = today !== undefined && now < today.open ? today : session(nextTradingDay(easternDate(now)))!
  const demo = `${calledAs.start} ${synthetic ? '' : '--source synthetic '}--clock demo`
  return [
    `closed: figures stand at the close of ${dayOf(last.date)}`,
    `and move again from ${dayOf(next.date)}, ${easternDateTime(next.open).slice(11, 16)} New York.`,
    `${synthetic ? 'To see them move now' : 'A made-up market moves at any hour'}: ${demo}`
  ]
}

function dayOf(date: IsoDate): string {
  return `${days[weekday(date)]}, ${date}`
}
