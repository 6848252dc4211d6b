import { SUMS_SERVE } from '../../facts/freshness.ts'
import type {
  FlowSource,
  MinuteBuckets,
  NewestSample,
  PastViewName,
  Positions,
  TapeHeader,
  ViewName,
  Views
} from '../../flow/tape-views.ts'
import { session } from '../../market/calendar.ts'
import type { SessionCustomers } from '../../market/customer-sums.ts'
import { easternDate } from '../../market/eastern.ts'
import type { PastPressure } from '../../market/hedge-pressure.ts'
import type { TapeKind } from '../../market/print.ts'
import { NO_PRICE } from '../../market/print.ts'
import type { IsoDate } from '../../market/units.ts'
import { type Instant, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { versionOf } from '../../market/versions.ts'
import { type ApiError, apiError } from '../error.ts'
import type { WindowsFound } from '../market-source.ts'
import type { Input, SubjectContext } from './input.ts'
import { ifReadable } from './market-reader.ts'
import { sameView } from './view-reuse.ts'

// Inputs from tapes: a view of the symbol's tape, views of several sessions, or sums over all symbols.

/** Errors of a request that cannot do without a tape; `no_data` where the archive of a past session has none. */
const tapeErrors = ['upstream_unavailable', 'data_loading', 'no_data'] as const

/** Declares an optional tape view; without a tape, official open interest takes its place. */
function viewOf<Name extends ViewName>(kind: TapeKind, view: Name): Input<Views[Name] | undefined> {
  return {
    kind: 'market',
    moves: true,
    reads: { kind, view },
    find: ({ symbols: [symbol], market, request: { maxAge, mayBePart } }) =>
      market.view({ symbol, kind, view }, maxAge, mayBePart) as Views[Name] | undefined,
    version: (found) => (found === undefined ? '' : versionOf(found)),
    flowSource: (found) => found?.source ?? 'none',
    flowPart: (found) => found?.part,
    errors: () => ['no_data']
  }
}

type AsksSingle = (params: SubjectContext['params']) => boolean
const always: AsksSingle = () => true
const never: AsksSingle = () => false

/** Declares a required tape view: without it the request is refused. */
function neededView<Name extends ViewName>(
  kind: TapeKind,
  view: Name,
  isSingle = never
): Input<Views[Name], Views[Name] | undefined> {
  const { find, version, flowSource, flowPart } = viewOf(kind, view)
  return {
    kind: 'market',
    moves: true,
    reads: { kind, view },
    find,
    version,
    flowSource: flowSource!,
    flowPart: flowPart!,
    value: (found) => found!,
    refuse: (found, { params }) => refuseUnusable(found, isSingle(params)),
    errors: () => tapeErrors
  }
}

/** Views of all sessions within the time window of a request, ascending. */
function windowOf<Name extends PastViewName>(
  kind: TapeKind,
  view: Name
): Input<readonly Views[Name][], readonly [readonly Views[Name][], Views[Name] | undefined]> {
  return {
    kind: 'market',
    moves: true,
    reads: { kind, view },
    find: (context) => {
      const { market, request, symbols } = context
      const asked = { symbol: symbols[0], kind, view }
      const present = market.view(asked, request.maxAge, request.mayBePart) as Views[Name] | undefined
      const from = windowStart(context)
      const isWithin = present === undefined || easternDate(from) >= present.session
      return [isWithin ? [] : (market.pastViews(asked, from) as readonly Views[Name][]), present]
    },
    value: ([past, present]) => [...past, present!],
    version: ([past, present]) => [...past, present!].map(versionOf).join(' '),
    refuse: ([, present]) => refuseUnusable(present, false),
    errors: () => tapeErrors,
    flowSource: ([, present]) => present?.source ?? 'none',
    flowPart: ([, present]) => present?.part
  }
}

/** Start of the time window of a request, in whole minutes before the current one. */
function windowStart({ endpoint, params, market }: SubjectContext): Instant {
  return market.clock(MILLISECONDS_PER_MINUTE) - MILLISECONDS_PER_MINUTE * endpoint.minutesRead(params as never)
}

/** Sums of every tape over the time window of a request. */
function totalsOf(kind: TapeKind): Input<WindowsFound, WindowsFound | undefined> {
  return {
    kind: 'market',
    moves: true,
    find: (context) =>
      context.market.windowTotals(kind, windowStart(context), Math.max(SUMS_SERVE, context.request.maxAge)),
    value: (found) => found!,
    version: (found) => (found === undefined ? '' : versionOf(found)),
    refuse: (found) => refuseUnusable(found, false),
    errors: () => tapeErrors,
    flowSource: (found) => found?.source ?? 'none',
    flowPart: (found) => found?.part
  }
}

function refuseUnusable(found: Found | undefined, single: boolean): void {
  if (found === undefined) throw unavailable('there is no feed of prints for it')
  if (found.silent) throw unavailable('its feed has been silent for a minute of the session')
  if (single && found.source === 'inferred') throw unavailable('the source gives no prints')
}

/** What a tape gave: who says that it cannot be used asks no more. */
type Found = Pick<TapeHeader, 'silent'> & { readonly source: FlowSource }

function unavailable(why: string): ApiError {
  return apiError('upstream_unavailable', `the tape is temporarily unavailable: ${why}`)
}

export const positions: Input<Positions | undefined> = {
  ...viewOf('option', 'positions'),
  unpack: (packed) => sameView(packed as Positions | undefined)
}
export const samples = viewOf('option', 'samples')
export const strikeMinutes = viewOf('option', 'strikes')
export const pressure = viewOf('option', 'pressure')
export const optionTotals = neededView('option', 'totals')
export const optionPrints = neededView('option', 'prints', always)
export const optionBlocks = neededView('option', 'blocks', always)
export const optionMinutes = windowOf('option', 'minutes')
export const groups = windowOf('option', 'groups')
export const optionWindow = totalsOf('option')
export const stockTotals = neededView('stock', 'totals')
export const stockPrints = neededView('stock', 'prints', always)
export const stockBlocks = neededView('stock', 'blocks', always)
export const stockMinutes = windowOf('stock', 'minutes')
/** Only bars of one second need single prints. */
export const stockSeconds = neededView('stock', 'seconds', ({ resolution }) => resolution === '1s')
export const stockWindow = totalsOf('stock')

/** Newest 0DTE sample of every symbol with options that expire today. */
export const newestSamples: Input<readonly NewestSample[]> = {
  kind: 'market',
  moves: true,
  find: ({ market }) => market.newestSamples(),
  version: versionOf,
  flowSource: ([first]) => first?.source ?? 'none',
  errors: () => ['no_data']
}

/** Sums of earlier sessions that tell on which side the symbol's customers stand. */
export const customers: Input<readonly SessionCustomers[]> = {
  kind: 'market',
  moves: false,
  find: ({ symbols: [symbol], market }) => market.customers(symbol),
  version: versionOf
}

/** Hedging pressure of earlier sessions at the same time of day. */
export const pastPressure: Input<readonly PastPressure[]> = {
  kind: 'market',
  moves: true,
  find: ({ symbols: [symbol], market }) => market.pastPressure(symbol),
  version: versionOf
}

/**
 * Positions from the option tape of the session, live or past. Undefined without a tape, or if the request does not use
 * positions.
 */
export const sessionPositions: Input<Positions | undefined> = {
  kind: 'market',
  moves: true,
  find: ({ endpoint, params, symbols: [symbol], market, request: { maxAge } }) =>
    endpoint.positionsRead(params as never)
      ? unlessUnavailable(
          () => market.view({ symbol, kind: 'option', view: 'positions' }, maxAge) as Positions | undefined
        )
      : undefined,
  version: (found) => (found === undefined ? '' : versionOf(found)),
  unpack: (packed) => sameView(packed as Positions | undefined)
}

/** The value of a reading; undefined if its source is down. Data that is being loaded is waited for by asking again. */
function unlessUnavailable<Found>(find: () => Found): Found | undefined {
  return ifReadable(find, ({ code }) => code === 'data_loading')
}

/**
 * Opening price of today's session, USD per share: the first stock print that may set a price. Undefined before the
 * open and without a stock tape.
 */
export const sessionOpen: Input<number | undefined> = {
  kind: 'market',
  moves: true,
  find: ({ symbols: [symbol], day, market, request: { maxAge } }) => {
    const minutes = ifReadable(() => market.view({ symbol, kind: 'stock', view: 'minutes' }, maxAge))
    return minutes && openOf(minutes as MinuteBuckets, day)
  },
  version: (found) => found ?? ''
}

function openOf({ session: date, length, minute, open, unit }: MinuteBuckets, day: IsoDate): number | undefined {
  const hours = session(day)
  if (hours === undefined || date !== day) return undefined
  for (let k = 0; k < length; k++) if (minute[k] >= hours.open && open[k] !== NO_PRICE) return open[k] * unit
  return undefined
}
