import { CANCEL, type Prints } from '../market/print.ts'
import type { Fold, FoldedTape, TapeSession } from './fold.ts'
import { groups, groupsView } from './folds/groups.ts'
import { hedgeFlow } from './folds/hedge-flow.ts'
import { hedgeView } from './folds/hedge-view.ts'
import { minutes, minutesView, moneyView } from './folds/minutes.ts'
import { positions, positionsView } from './folds/positions.ts'
import { pressure } from './folds/pressure.ts'
import { largePrints, newestPrints, windowView } from './folds/print-windows.ts'
import { secondsFold, secondsView } from './folds/seconds.ts'
import { totalsView, traded } from './folds/totals.ts'
import { type Nearness, withoutCancelled } from './near-cancel.ts'
import type { ViewContext, ViewName, Views } from './tape-views.ts'

/** All folds (running computations over the prints of a tape). To add one, write its file and a line here. */
const folds = {
  positions,
  traded,
  minutes,
  seconds: secondsFold,
  newestPrints,
  largePrints,
  groups,
  hedgeFlow,
  pressure
}

export type FoldName = keyof typeof folds
export const foldNames = Object.keys(folds) as readonly FoldName[]

type StateOf<Given> = Given extends Fold<infer State> ? State : never

/** States by the name of their fold; folds that do not exist for this kind of tape are absent. */
export type FoldStates = { readonly [Name in keyof typeof folds]?: StateOf<(typeof folds)[Name]> }

export interface SessionFolds {
  readonly session: TapeSession
  readonly states: FoldStates
}

/**
 * Returns the rows around a cancelled print that are needed to remove it, in the order of the tape, up to and including
 * its cancel in row `at`. These are all rows of the print's series, or of every series with its expiration, in the time
 * range of `nearCancel`. Cancels and cancelled prints may be among them.
 */
export type RowsNear = (at: number, of: Nearness) => Prints

/** Tells states apart that other versions of the folds made. */
export const foldVersions = Object.entries(folds)
  .map(([name, { version }]) => `${name} ${version}`)
  .join()

const entries = Object.entries(folds).map(([name, fold]) => ({
  name: name as keyof FoldStates,
  fold: fold as unknown as Fold<unknown>
}))

/** Creates the initial states of all folds of a tape, or only of the named ones. */
export function beginFolds(session: TapeSession, names?: readonly FoldName[]): SessionFolds {
  const made = entries.filter(({ name, fold }) => fold.kinds.includes(session.kind) && names?.includes(name) !== false)
  return { session, states: Object.fromEntries(made.map(({ name, fold }) => [name, fold.begin(session)])) }
}

/** Adds rows `from` to `to`, both prints and cancels. */
export function stepFolds(folded: SessionFolds, tape: FoldedTape, from: number, to: number, near: RowsNear): void {
  const { flags } = tape.prints
  let start = from
  for (let at = from; at < to; at++) {
    if ((flags[at] & CANCEL) === 0) continue
    stepAll(folded, tape, start, at)
    undoAll(folded, tape, at, near)
    start = at + 1
  }
  stepAll(folded, tape, start, to)
}

export function copyFolds({ session, states }: SessionFolds): SessionFolds {
  const copies = entries.filter(({ name }) => states[name] !== undefined)
  return { session, states: Object.fromEntries(copies.map(({ name, fold }) => [name, fold.copy(states[name])])) }
}

interface ViewOf<Name extends ViewName> {
  readonly from: readonly FoldName[]
  readonly show: (states: FoldStates, moment: ViewContext) => Views[Name] | undefined
}

/** All views computed from folds, with the folds that each needs. */
const views: { readonly [Name in FoldedView]: ViewOf<Name> } = {
  positions: { from: ['positions'], show: ({ positions }, moment) => positions && positionsView(positions, moment) },
  totals: {
    from: ['minutes', 'traded'],
    show: ({ minutes, traded }, moment) => minutes && traded && totalsView(minutes, traded, moment)
  },
  minutes: { from: ['minutes'], show: ({ minutes }, moment) => minutes && minutesView(minutes, moment) },
  money: { from: ['minutes'], show: ({ minutes }, moment) => minutes && moneyView(minutes, moment) },
  seconds: { from: ['seconds'], show: ({ seconds }, moment) => seconds && secondsView(seconds, moment) },
  hedge: {
    from: ['hedgeFlow', 'pressure'],
    show: ({ hedgeFlow, pressure }, moment) => hedgeFlow && pressure && hedgeView(hedgeFlow, pressure, moment)
  },
  groups: { from: ['groups'], show: ({ groups }, moment) => groups && groupsView(groups, moment) },
  prints: {
    from: ['newestPrints'],
    show: ({ newestPrints }, moment) => newestPrints && windowView(newestPrints, moment)
  },
  blocks: { from: ['largePrints'], show: ({ largePrints }, moment) => largePrints && windowView(largePrints, moment) }
}

/** Views that are sampled each half minute and recorded. */
export type SampledView = 'samples' | 'strikes' | 'pressure'

/** Views computed from folds alone. */
export type FoldedView = Exclude<ViewName, SampledView>

export const isFolded = (name: ViewName): name is FoldedView => Object.hasOwn(views, name)

export const foldsOf = (name: FoldedView): readonly FoldName[] => views[name].from

/**
 * Computes a view from fold states, in memory that every thread can read. Undefined if this kind of tape has no such
 * view.
 */
export function foldedView<Name extends FoldedView>(
  folded: SessionFolds,
  name: Name,
  moment: ViewContext
): Views[Name] | undefined {
  return (views[name] as ViewOf<Name>).show(folded.states, moment)
}

function stepAll({ states }: SessionFolds, tape: FoldedTape, from: number, to: number): void {
  if (from === to) return
  for (const { name, fold } of entries) {
    const state = states[name]
    if (state !== undefined) fold.step(state, tape, from, to)
  }
}

function undoAll({ states }: SessionFolds, tape: FoldedTape, at: number, find: RowsNear): void {
  const near = (of: Nearness) => withoutCancelled(find(at, of))
  for (const { name, fold } of entries) {
    const state = states[name]
    if (state !== undefined) fold.undo(state, tape, at, near)
  }
}
