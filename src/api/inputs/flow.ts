import type {
  MinuteBuckets,
  NewestSample,
  PastViewName,
  Positions,
  TapeHeader,
  ViewName,
  Views
} from '../../flow/tape-views.ts'
import { session } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import type { TapeKind } from '../../market/print.ts'
import { NO_PRICE } from '../../market/print.ts'
import type { IsoDate } from '../../market/units.ts'
import { type Instant, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { versionOf } from '../../market/versions.ts'
import { type ApiError, apiError } from '../error.ts'
import type { WindowsFound } from '../market-source.ts'
import { andThen, orUndefined } from '../maybe-promise.ts'
import type { Input, SubjectContext } from './input.ts'
import { sameView } from './view-reuse.ts'

// What answers read of tapes: a view of the symbol's, views of several sessions, or sums over all symbols.

/** A view that an answer can do without: official open interest stands where there is no tape. */
function viewOf<Name extends ViewName>(kind: TapeKind, view: Name): Input<Views[Name] | undefined> {
  return {
    kind: 'market',
    moves: true,
    reads: { kind, view },
    find: ({ symbols: [symbol], request: { source, maxAge } }) => source.view({ symbol, kind, view }, maxAge),
    version: (found) => (found === undefined ? '' : versionOf(found)),
    flowSource: (found) => found?.source ?? 'none'
  }
}

/** Whether a request asks for single prints, which an inferred tape has not. */
type AsksSingle = (params: SubjectContext['params']) => boolean
const always: AsksSingle = () => true
const never: AsksSingle = () => false

/** A view without which there is no answer. */
function neededView<Name extends ViewName>(
  kind: TapeKind,
  view: Name,
  isSingle = never
): Input<Views[Name], Views[Name] | undefined> {
  const { find, version, flowSource } = viewOf(kind, view)
  return {
    kind: 'market',
    moves: true,
    reads: { kind, view },
    find,
    version,
    flowSource: flowSource!,
    value: (found) => found!,
    refuse: (found, { params }) => refuseUnusable(found, isSingle(params)),
    errors: () => ['upstream_unavailable']
  }
}

/** Views of all sessions that the window of a request reaches into, ascending. */
function windowOf<Name extends PastViewName>(
  kind: TapeKind,
  view: Name
): Input<readonly Views[Name][], readonly [readonly Views[Name][], Views[Name] | undefined]> {
  return {
    kind: 'market',
    moves: true,
    reads: { kind, view },
    find: (context) => {
      const { request, symbols } = context
      const { source, maxAge } = request
      const asked = { symbol: symbols[0], kind, view }
      return andThen(source.view(asked, maxAge), (present) => {
        const from = windowStart(context)
        const isWithin = present === undefined || easternDate(from) >= present.session
        return andThen(isWithin ? [] : source.pastViews(asked, from), (past) => [past, present])
      })
    },
    value: ([past, present]) => [...past, present!],
    version: ([past, present]) => [...past, present!].map(versionOf).join(' '),
    refuse: ([, present]) => refuseUnusable(present, false),
    errors: () => ['upstream_unavailable'],
    flowSource: ([, present]) => present?.source ?? 'none'
  }
}

/** The beginning of the window that a request names: whole minutes before that of now. */
function windowStart({ endpoint, params, request: { source } }: SubjectContext): Instant {
  return source.clock(MILLISECONDS_PER_MINUTE) - MILLISECONDS_PER_MINUTE * endpoint.minutesRead(params as never)
}

/** Scans across symbols need not be newer than that, whatever the plan, milliseconds. */
const SCANNED_EVERY = 30_000

/** Sums of every tape over the window of a request. */
function totalsOf(kind: TapeKind): Input<WindowsFound, WindowsFound | undefined> {
  return {
    kind: 'market',
    moves: true,
    find: (context) => {
      const { source, maxAge } = context.request
      return source.windowTotals(kind, windowStart(context), Math.max(SCANNED_EVERY, maxAge))
    },
    value: (found) => found!,
    version: (found) => (found === undefined ? '' : versionOf(found)),
    refuse: (found) => refuseUnusable(found, false),
    errors: () => ['upstream_unavailable'],
    flowSource: (found) => found?.source ?? 'none'
  }
}

function refuseUnusable(found: Pick<TapeHeader, 'source' | 'silent'> | undefined, single: boolean): void {
  if (found === undefined) throw unavailable('there is no feed of prints for it')
  if (found.silent) throw unavailable('its feed has been silent for a minute of the session')
  if (single && found.source === 'inferred') throw unavailable('the source gives no prints')
}

function unavailable(why: string): ApiError {
  return apiError('upstream_unavailable', `the tape is temporarily unavailable: ${why}`)
}

export const positions: Input<Positions | undefined> = {
  ...viewOf('option', 'positions'),
  unpack: (packed) => sameView(packed as Positions | undefined)
}
export const samples = viewOf('option', 'samples')
export const strikeMinutes = viewOf('option', 'strikes')
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
/** Bars of longer than a second are made without them. */
export const stockSeconds = neededView('stock', 'seconds', ({ resolution }) => resolution === '1s')
export const stockWindow = totalsOf('stock')

/** The newest sample of every symbol with options that expire on the day. */
export const newestSamples: Input<readonly NewestSample[]> = {
  kind: 'market',
  moves: true,
  find: ({ request: { source } }) => source.newestSamples(),
  version: versionOf,
  flowSource: ([first]) => first?.source ?? 'none'
}

/**
 * What the option tape of the session shows, for an answer that says so where there is none, live or of a past moment.
 * Undefined where the request does not ask for it: prints then leave the answer as it is.
 */
export const sessionPositions: Input<Positions | undefined> = {
  kind: 'market',
  moves: true,
  find: ({ endpoint, params, symbols: [symbol], request: { source, maxAge } }) =>
    endpoint.positionsRead(params as never)
      ? orUndefined(() => source.view({ symbol, kind: 'option', view: 'positions' }, maxAge))
      : undefined,
  version: (found) => (found === undefined ? '' : versionOf(found)),
  unpack: (packed) => sameView(packed as Positions | undefined)
}

/**
 * Where the session of the day opened, USD per share: its first print of the stock that may set a price. Undefined before
 * the open, and where there is no tape of the stock.
 */
export const sessionOpen: Input<number | undefined> = {
  kind: 'market',
  moves: true,
  find: ({ symbols: [symbol], day, request: { source, maxAge } }) =>
    andThen(
      orUndefined(() => source.view({ symbol, kind: 'stock', view: 'minutes' }, maxAge)),
      (minutes) => minutes && openOf(minutes, day)
    ),
  version: (found) => found ?? ''
}

function openOf({ session: date, length, minute, open, unit }: MinuteBuckets, day: IsoDate): number | undefined {
  const hours = session(day)
  if (hours === undefined || date !== day) return undefined
  for (let k = 0; k < length; k++) if (minute[k] >= hours.open && open[k] !== NO_PRICE) return open[k] * unit
  return undefined
}
