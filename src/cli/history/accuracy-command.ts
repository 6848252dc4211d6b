import { readWhole } from '../../api/number-text.ts'
import { settings } from '../../config/settings.ts'
import { customerSide } from '../../flow/open-interest/customer-side.ts'
import {
  addSettlements,
  noSettlements,
  type SettlementAccuracy,
  settlementAccuracy
} from '../../flow/open-interest/settlement.ts'
import { JobError, readJob } from '../../jobs/job.ts'
import { type SessionAccuracy, type Uncompared, uncompared } from '../../jobs/settlement-accuracy.ts'
import { bandMeasures } from '../../market/band-errors.ts'
import { customerGroups } from '../../market/customer-sums.ts'
import type { Ticker } from '../../market/units.ts'
import type { BandAccuracy } from '../../signals/band-accuracy.ts'
import { asJson, type CliCommand, tabulate } from '../command.ts'
import { doJob } from './do-job.ts'

export const historyAccuracyCommand: CliCommand = {
  name: 'history accuracy',
  positionals: [],
  summary: 'compare closing estimates and bands with the open interest published next',
  flags: {
    sessions: { value: 'count', help: 'number of newest sessions that have a later one', fallback: '20' },
    symbols: { value: 'tickers', help: 'symbols to compare (default: all with recorded prints or compared bands)' },
    by: { value: 'group', help: 'group: on which side customers stand, by calls and puts in and out of the money' },
    json: { help: 'print JSON, with each session' }
  },
  settings: {
    data: settings.data,
    history: settings.history,
    'as-of': settings['as-of'],
    'flow-confidence': settings['flow-confidence']
  },
  async run({ config, flags, terminal }) {
    const { sessions = '20', symbols, by, json } = flags
    if (by !== undefined && by !== 'group') throw new JobError(`--by must be group; it is ${by}`)
    const job = readJob({
      work: 'accuracy',
      sessions: readWhole(String(sessions)),
      symbols: symbols === undefined ? undefined : String(symbols).split(','),
      asOf: config.asOf
    })
    const { accuracy = [], bands = [] } = await doJob(job, config, terminal)
    if (accuracy.length === 0 && bands.length === 0) {
      throw new JobError('no prints were recorded in these sessions, and no morning was compared with bands')
    }
    const compared = [...new Set(accuracy.map(({ symbol }) => symbol))]
    const rows = compared.map((symbol) => ({ symbol, found: accuracy.filter((session) => session.symbol === symbol) }))
    if (json !== undefined) return terminal.out(asJson(printableOf(rows, bands)))
    if (by === 'group') return terminal.out(tabulate(groupHeading, rows.flatMap(groupCells)))
    const heading = [
      'SYMBOL',
      'SESSIONS',
      'CONTRACTS',
      'CHANGED',
      'SIDED',
      'EXPLAINED',
      'CORRELATION',
      'BEST C',
      'USED C'
    ]
    if (rows.length > 0) terminal.out(tabulate([...heading, 'LEFT OUT'], rows.map(cellsOf)))
    if (bands.length === 0) return
    if (rows.length > 0) terminal.out('')
    const held = bandMeasures.map((measure) => `${measure.toUpperCase()} HELD`)
    terminal.out(tabulate(['SYMBOL', 'CLASS', 'MORNINGS', 'BANDS', ...held], bands.map(bandCells)))
  }
}

const groupHeading = ['SYMBOL', 'GROUP', 'SESSIONS', 'CONTRACTS', 'SLOPE', 'CUSTOMERS', 'CONVENTION']

/** A row for each group of a symbol: the side of its customers, and whether the sign convention fits. */
function groupCells({ symbol, found }: SymbolSessions): readonly (readonly string[])[] {
  const compared = found.filter(isCompared)
  return sidesOf(compared).map(({ group, contracts, slope, error, side, verdict }) => [
    symbol,
    group.replace('_', ' '),
    `${compared.length} of ${found.length}`,
    whole(contracts),
    slope === undefined || error === undefined ? '-' : `${decimal(slope, 3)} ± ${decimal(error, 3)}`,
    side ?? '-',
    verdict.replace('_', ' ')
  ])
}

const sidesOf = (compared: readonly Compared[]) =>
  customerGroups.map((group) => ({
    group,
    ...customerSide(
      group,
      compared.map(({ groups }) => groups[group])
    )
  }))

function bandCells({ symbol, kind, mornings, basis, held }: BandAccuracy): readonly string[] {
  const shares = bandMeasures.map((measure) => percent(held[measure]))
  return [symbol, kind, whole(mornings), calibratedBy(basis), ...shares]
}

/** A row for each symbol of either kind, those with estimates first. */
function printableOf(rows: readonly SymbolSessions[], bands: readonly BandAccuracy[]) {
  const symbols = new Set([...rows.map(({ symbol }) => symbol), ...bands.map(({ symbol }) => symbol)])
  return [...symbols].map((symbol) => {
    const row = rows.find((one) => one.symbol === symbol)
    const band = bands.find((one) => one.symbol === symbol)
    return { ...(row === undefined ? { symbol } : printable(row)), ...(band && { bands: printableBands(band) }) }
  })
}

/** Whose mornings calibrate the bands, in a word. */
const calibratedBy = (basis: BandAccuracy['basis']) => basis ?? 'prior'

const printableBands = ({ kind, mornings, basis, held }: BandAccuracy) => ({
  class: kind,
  mornings,
  calibration: calibratedBy(basis),
  held_pct: Object.fromEntries(
    bandMeasures.map((measure) => {
      const share = held[measure]
      return [`net_${measure}`, share === undefined ? null : 100 * share]
    })
  )
})

interface SymbolSessions {
  readonly symbol: Ticker
  readonly found: readonly SessionAccuracy[]
}

type Compared = Extract<SessionAccuracy, { readonly sums: unknown }>
const isCompared = (session: SessionAccuracy): session is Compared => 'sums' in session

const allOf = (compared: readonly Compared[]) =>
  settlementAccuracy(compared.map(({ sums }) => sums).reduce(addSettlements, noSettlements))

function cellsOf({ symbol, found }: SymbolSessions): readonly string[] {
  const compared = found.filter(isCompared)
  const all = compared.length === 0 ? undefined : allOf(compared)
  const { bestConfidence: best, bestConfidenceError: error } = all ?? {}
  return [
    symbol,
    `${compared.length} of ${found.length}`,
    whole(all?.contracts),
    whole(all?.changed),
    percent(all?.sided),
    percent(all?.explained),
    decimal(all?.correlation),
    best === undefined || error === undefined ? '-' : `${decimal(best, 3)} ± ${decimal(error, 3)}`,
    [...new Set(compared.map(({ confidence }) => confidence))].join(' ') || '-',
    leftOut(found)
  ]
}

const inWords: Readonly<Record<Uncompared, string>> = {
  no_tape: 'no prints',
  no_chain: 'no chain',
  not_published: 'nothing published yet'
}

function leftOut(found: readonly SessionAccuracy[]): string {
  const counts = uncompared.map((reason) => ({
    reason,
    count: found.filter((session) => 'reason' in session && session.reason === reason).length
  }))
  const parts = counts.filter(({ count }) => count > 0).map(({ reason, count }) => `${count} ${inWords[reason]}`)
  return parts.join(', ')
}

function printable({ symbol, found }: SymbolSessions) {
  const compared = found.filter(isCompared)
  return {
    symbol,
    compared: compared.length,
    ...(compared.length > 0 && figuresOf(allOf(compared))),
    ...(compared.length > 0 && { customers: Object.fromEntries(sidesOf(compared).map(printableSide)) }),
    sessions: found.map((session) =>
      isCompared(session)
        ? {
            session: session.session,
            source: session.source,
            confidence: session.confidence,
            ...figuresOf(settlementAccuracy(session.sums))
          }
        : { session: session.session, left_out: session.reason }
    )
  }
}

const figuresOf = (accuracy: SettlementAccuracy) => ({
  contracts: accuracy.contracts,
  changed: accuracy.changed,
  sided: accuracy.sided ?? null,
  explained: accuracy.explained ?? null,
  correlation: accuracy.correlation ?? null,
  best_confidence: accuracy.bestConfidence ?? null,
  best_confidence_error: accuracy.bestConfidenceError ?? null
})

const printableSide = ({ group, slope, error, side, ...rest }: ReturnType<typeof sidesOf>[number]) => [
  group,
  { slope: slope ?? null, error: error ?? null, side: side ?? null, ...rest }
]

const whole = (count: number | undefined) => (count === undefined ? '-' : count.toLocaleString('en-US'))
const decimal = (value: number | undefined, digits = 2) => (value === undefined ? '-' : value.toFixed(digits))
const percent = (share: number | undefined) => (share === undefined ? '-' : `${(100 * share).toFixed(1)} %`)
