import type { SaidFacts } from '../imports/chains/stated-facts.ts'
import { type BarScale, barScales } from '../imports/daily/bar-scale.ts'
import {
  formOptions,
  type ImportFormat,
  type ImportOption,
  importFormatNames,
  importFormats
} from '../imports/import-formats.ts'
import type { SaidForms } from '../imports/tables/written-forms.ts'
import { tradingDays } from '../market/calendar.ts'
import { isSecurityNumber, readChainSymbol, readSymbol } from '../market/security.ts'
import { type Instant, type IsoDate, parseIsoDate, type Ticker } from '../market/units.ts'

/** Work on the archive that takes seconds to hours, as plain data that a command can send to a running service. */
export type Job = ImportJob | BackfillJob | ExportJob | AccuracyJob

export interface ImportJob {
  readonly work: 'import'
  readonly format: ImportFormat
  /** Absolute paths of files and folders. */
  readonly paths: readonly string[]
  /**
   * Text for `parseColumnMap` that assigns columns of a table to fields, or the name of a vendor's table. Only for
   * tables.
   */
  readonly map?: string | undefined
  /** Symbol of rows without a symbol column; for tables only. */
  readonly symbol?: Ticker | undefined
  /** How dates, times and numbers are written; for tables only. */
  readonly forms?: SaidForms | undefined
  /** Facts that hold for all rows; for tables of chains only. */
  readonly facts?: SaidFacts | undefined
  /** Meanings of condition codes, as text for `parseConditionMap`; for prints only. */
  readonly conditions?: string | undefined
  /** Whether bars are as traded or adjusted for splits; for daily bars only. */
  readonly scale?: BarScale | undefined
  /** Overwrites snapshots that the service itself recorded at the same times. */
  readonly replace?: boolean | undefined
  /** Writes what is doubted too. */
  readonly accept?: boolean | undefined
  /** Judges the files and tells what it understood of them, but writes nothing. */
  readonly dryRun?: boolean | undefined
}

export interface CoarseSessions {
  readonly sessions: number
  /** Milliseconds from one snapshot to the next. */
  readonly every: number
}

export interface BackfillJob {
  readonly work: 'backfill'
  /** Number of newest completed sessions to generate. */
  readonly days: number
  readonly symbols: readonly Ticker[]
  /** Milliseconds from one snapshot to the next. */
  readonly every: number
  /** Number of newest completed sessions of which the close alone is made before whole sessions; none if absent. */
  readonly closes?: number | undefined
  /**
   * Newest sessions, the one that may still run among them, of which snapshots at larger steps are made before anything
   * else, symbol by symbol; none if absent.
   */
  readonly coarse?: CoarseSessions | undefined
  /** Symbols for which to generate print tapes; all if absent. */
  readonly tapes?: readonly Ticker[] | undefined
  /** The sessions end before this time; if absent, before the market's current time. */
  readonly asOf?: Instant | undefined
  /** Synthetic market settings given by the caller. A service refuses them if they differ from its own. */
  readonly seed?: unknown
  readonly assumptions?: unknown
}

/**
 * Compares estimates of open interest with the figures published the next morning, over the newest sessions, and tells
 * how the bands of exposures held.
 */
export interface AccuracyJob {
  readonly work: 'accuracy'
  /** If absent, all symbols that have a print tape of one of the sessions, and for bands all recorded ones. */
  readonly symbols?: readonly Ticker[] | undefined
  readonly sessions: number
  /**
   * Only sessions before the session of this time are compared; if absent, sessions before the market's current one.
   */
  readonly asOf?: Instant | undefined
}

/** Responses that can be exported for every recorded time, in addition to quotes, prints and figures over time. */
export const exportedFigures = ['levels', 'summary', 'gex', 'volatility', 'flow', 'signals'] as const
export type ExportedFigure = (typeof exportedFigures)[number]

/** File formats for each kind of export; the first is the default. */
export const exportJobFormats = {
  quotes: ['csv', 'parquet', 'arrow'],
  figures: ['jsonl', 'csv'],
  lean: ['zip']
} as const
type RowFormat = (typeof exportJobFormats.quotes)[number]
type FigureFormat = (typeof exportJobFormats.figures)[number]

export type ExportJob = QuoteExport | PrintExport | SeriesExport | LeanFolderExport | FigureExport

export interface QuoteExport extends ExportSpan {
  readonly what?: undefined
  readonly format: RowFormat
}

export interface PrintExport extends ExportSpan {
  readonly what: 'prints'
  readonly format: RowFormat
}

/** Export of stored figures over time, one row per snapshot. */
export interface SeriesExport extends ExportSpan {
  readonly what: 'series'
  readonly format: RowFormat
}

/** Export of snapshots, daily bars and figures over time to a folder in the layout of LEAN. */
export interface LeanFolderExport extends ExportSpan {
  readonly what: 'lean'
  readonly format: 'zip'
}

export interface FigureExport extends ExportSpan {
  readonly what: ExportedFigure
  readonly format: FigureFormat
}

interface ExportSpan {
  readonly work: 'export'
  readonly symbol: Ticker
  /** First and last session, inclusive. */
  readonly from: IsoDate
  readonly to: IsoDate
  /** Absolute path of a file, or of a folder for `lean`, that does not exist yet. */
  readonly path: string
}

/** Thrown if a job cannot be done as requested; the message is a sentence for the caller. */
export class JobError extends Error {
  override readonly name = 'JobError'
}

const MAX_DAYS = 3000
const MAX_SYMBOLS = 1000
const MIN_STEP = 1000

/** Reads a job from JSON. Throws a JobError for the first mistake. */
export function readJob(document: unknown): Job {
  const given = (typeof document === 'object' && document !== null ? document : {}) as Readonly<Record<string, unknown>>
  if (given['work'] === 'import') return importJob(given)
  if (given['work'] === 'backfill') return backfillJob(given)
  if (given['work'] === 'export') return exportJob(given)
  if (given['work'] === 'accuracy') return accuracyJob(given)
  throw new JobError('work must be import, backfill, export or accuracy')
}

type Given = Readonly<Record<string, unknown>>

function importJob(given: Given): ImportJob {
  const { format, paths, map, symbol, forms, facts, conditions, scale, replace, accept, dryRun } = given
  const known = importFormatNames.find((name) => name === format)
  if (known === undefined) throw new JobError(`format must be one of ${importFormatNames.join(', ')}`)
  if (!isTexts(paths) || paths.length === 0) throw new JobError('name the files or folders to import')
  const { takes, parseSymbol } = importFormats[known]
  const isUnwanted = (option: ImportOption, value: unknown) => value !== undefined && !takes.includes(option)
  if (isUnwanted('map', map)) throw new JobError(`${known} files have one layout: they take no column map`)
  if (isUnwanted('symbol', symbol)) throw new JobError(`${known} files name their symbols themselves`)
  if (map !== undefined && typeof map !== 'string') throw new JobError('the column map must be text')
  if (isUnwanted('conditions', conditions)) throw new JobError(`${known} files have no conditions of prints`)
  if (conditions !== undefined && typeof conditions !== 'string') throw new JobError('the conditions must be text')
  if (isUnwanted('accept', accept)) throw new JobError(`${known} files are not judged as a whole: nothing is to accept`)
  if (isUnwanted('dry-run', dryRun)) throw new JobError(`${known} files cannot be tried without writing`)
  if (isUnwanted('bars', scale)) throw new JobError(`${known} files hold no daily bars`)
  const knownScale = barScales.find((name) => name === scale)
  if (scale !== undefined && knownScale === undefined) throw new JobError(`bars must be ${barScales.join(' or ')}`)
  return {
    work: 'import',
    format: known,
    paths,
    map,
    conditions,
    forms: textsIn(forms, formOptions),
    facts: factsFrom(facts),
    symbol: symbol === undefined ? undefined : tickerFrom(symbol, parseSymbol ?? readSymbol),
    scale: knownScale,
    replace: replace === true ? true : undefined,
    accept: accept === true ? true : undefined,
    dryRun: dryRun === true ? true : undefined
  }
}

/** The texts of an object under the given names. Undefined if there is no object. */
function textsIn<Name extends string>(
  given: unknown,
  names: readonly Name[]
): Partial<Record<Name, string>> | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  const texts = given as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    names.flatMap((name) => (typeof texts[name] === 'string' ? [[name, texts[name]]] : []))
  ) as Partial<Record<Name, string>>
}

function factsFrom(given: unknown): SaidFacts | undefined {
  const { date, underlyingPrice } = textsIn(given, ['date', 'underlyingPrice']) ?? {}
  if (date === undefined && underlyingPrice === undefined) return undefined
  return { date, underlyingPrice: underlyingPrice === undefined ? undefined : Number(underlyingPrice) }
}

function backfillJob({ days, symbols, every, closes, coarse, tapes, asOf, seed, assumptions }: Given): BackfillJob {
  if (!isWhole(days, 1, MAX_DAYS)) throw new JobError(`days must be a whole number from 1 to ${MAX_DAYS}`)
  const tickers = tickersFrom(symbols)
  if (!isWhole(every, MIN_STEP, 24 * 3_600_000)) throw new JobError('the step must be from a second to a day')
  if (closes !== undefined && !isWhole(closes, 1, MAX_DAYS)) {
    throw new JobError(`closes must be a whole number from 1 to ${MAX_DAYS}`)
  }
  return {
    work: 'backfill',
    days,
    symbols: tickers,
    every,
    closes,
    coarse: coarseFrom(coarse),
    tapes: tapes === undefined ? undefined : tapedFrom(tapes, tickers),
    asOf: momentFrom(asOf),
    seed,
    assumptions
  }
}

function coarseFrom(given: unknown): CoarseSessions | undefined {
  if (given === undefined) return undefined
  const { sessions, every } = (given ?? {}) as Given
  if (!isWhole(sessions, 1, MAX_DAYS) || !isWhole(every, MIN_STEP, 24 * 3_600_000)) {
    throw new JobError(`coarse must have sessions from 1 to ${MAX_DAYS} and a step from a second to a day`)
  }
  return { sessions, every }
}

function accuracyJob({ symbols, sessions, asOf }: Given): AccuracyJob {
  if (!isWhole(sessions, 1, MAX_DAYS)) throw new JobError(`sessions must be a whole number from 1 to ${MAX_DAYS}`)
  const asked = symbols === undefined ? undefined : tickersFrom(symbols)
  return { work: 'accuracy', symbols: asked, sessions, asOf: momentFrom(asOf) }
}

function tickersFrom(symbols: unknown): readonly Ticker[] {
  if (!isTexts(symbols) || symbols.length === 0 || symbols.length > MAX_SYMBOLS) {
    throw new JobError(`symbols must be 1 to ${MAX_SYMBOLS} tickers`)
  }
  return [...new Set(symbols.map((symbol) => tickerFrom(symbol)))]
}

function momentFrom(asOf: unknown): Instant | undefined {
  if (asOf !== undefined && !Number.isFinite(asOf)) throw new JobError('asOf must be a moment in milliseconds')
  return asOf as Instant | undefined
}

function tapedFrom(tapes: unknown, symbols: readonly Ticker[]): readonly Ticker[] {
  if (!isTexts(tapes)) throw new JobError('tapes must be tickers')
  const tickers = [...new Set(tapes.map((symbol) => tickerFrom(symbol)))]
  const other = tickers.find((ticker) => !symbols.includes(ticker))
  if (other !== undefined) throw new JobError(`tapes can be made of the symbols of the work alone: ${other} is none`)
  return tickers
}

function exportJob({ symbol, what = 'quotes', from, to, format, path }: Given): ExportJob {
  const figure = exportedFigures.find((name) => name === what)
  if (figure === undefined && what !== 'quotes' && what !== 'prints' && what !== 'series' && what !== 'lean') {
    throw new JobError(`what must be one of quotes, prints, series, lean, ${exportedFigures.join(', ')}`)
  }
  const [first, last] = [from, to].map((date) => (typeof date === 'string' ? parseIsoDate(date) : undefined))
  if (first === undefined || last === undefined) throw new JobError('from and to must be dates, yyyy-MM-dd')
  if (tradingDays(first, last).length === 0) throw new JobError(`there is no session from ${first} to ${last}`)
  if (typeof path !== 'string' || path === '') throw new JobError('name the file to write')
  const span = { work: 'export', symbol: tickerFrom(symbol), from: first, to: last, path } as const
  if (what === 'lean') return { ...span, what, format: formatFrom(exportJobFormats.lean, format, ' of lean') }
  if (figure === undefined) {
    const rows = { ...span, format: formatFrom(exportJobFormats.quotes, format, '') }
    return what === 'quotes' ? rows : { ...rows, what: what as 'prints' | 'series' }
  }
  return { ...span, what: figure, format: formatFrom(exportJobFormats.figures, format, ` of ${figure}`) }
}

function formatFrom<Format extends string>(known: readonly Format[], given: unknown, of: string): Format {
  const format = given === undefined ? known[0] : known.find((name) => name === given)
  if (format === undefined) throw new JobError(`format${of} must be one of ${known.join(', ')}`)
  return format
}

/** Reads a ticker; unless it is read otherwise, a weekly root is its index, under which the archive keeps it. */
function tickerFrom(text: unknown, parse = readChainSymbol): Ticker {
  const ticker = typeof text === 'string' ? parse(text) : undefined
  if (ticker === undefined) {
    const isNumber = typeof text === 'string' && isSecurityNumber(text)
    throw new JobError(`${JSON.stringify(text)} is ${isNumber ? 'the number of a security' : 'no ticker'}`)
  }
  return ticker
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string' && text !== '' && !text.includes('\0'))
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most
}
