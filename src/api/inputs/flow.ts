import type { NewestSample, PastViewName, Positions, TapeHeader, ViewName, Views } from '../../flow/views.ts'
import { easternDate } from '../../market/eastern.ts'
import type { TapeKind } from '../../market/print.ts'
import { type Instant, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { versionOf } from '../../market/versions.ts'
import { SAMPLE_STEP } from '../../market/zero-dte.ts'
import { type ApiError, apiError } from '../error.ts'
import { andThen } from '../maybe-promise.ts'
import type { WindowsFound } from '../source.ts'
import type { Input, SubjectContext } from './input.ts'
import { sameView } from './view-crossing.ts'

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

/** The minute the market stands in, the half of one and the second: answers about windows that end now change with it. */
export const minute = clockOf(MILLISECONDS_PER_MINUTE)
export const halfMinute = clockOf(SAMPLE_STEP)
export const second = clockOf(1000)

function clockOf(step: number): Input<Instant> {
  return {
    kind: 'market',
    moves: true,
    find: ({ request: { source } }) => source.clock(step),
    version: (found) => found
  }
}
