import { account } from './account.ts'
import { anyQuote } from './any-quote.ts'
import { bars } from './bars.ts'
import { chains, histories } from './basket.ts'
import { beside } from './beside.ts'
import { catalogue } from './catalogue.ts'
import { anyChain, chain, quote } from './chain.ts'
import { earlier } from './earlier.ts'
import { earnings, earningsCalendar, pastBars } from './earnings.ts'
import { earningsDates } from './earnings-dates.ts'
import { figures } from './figures.ts'
import {
  groups,
  halfMinute,
  minute,
  newestSamples,
  optionBlocks,
  optionMinutes,
  optionPrints,
  optionTotals,
  optionWindow,
  positions,
  samples,
  second,
  stockBlocks,
  stockMinutes,
  stockPrints,
  stockSeconds,
  stockTotals,
  stockWindow,
  strikeMinutes
} from './flow.ts'
import type { Input } from './input.ts'
import { lastKnown } from './last-known.ts'
import { macro } from './macro.ts'
import { now } from './now.ts'
import { previousClose } from './previous-close.ts'
import { prior } from './prior.ts'
import { provenance } from './provenance.ts'
import { records } from './records.ts'
import { screened } from './screened.ts'
import { session } from './session.ts'
import { sessionOpen } from './session-open.ts'
import { sessionPositions } from './session-positions.ts'
import { sourceDelay } from './source-delay.ts'
import { strikeColumns } from './strike-columns.ts'
import { tapeSubject } from './tape-subject.ts'
import { today } from './today.ts'
import { vix, vixQuote } from './vix.ts'

/**
 * Everything an answer can be made from, as known at one moment. An endpoint names what it needs and sees no more. A
 * further input is a file and a line here.
 */
export const inputs = {
  chain,
  anyChain,
  quote,
  anyQuote,
  tapeSubject,
  lastKnown,
  sourceDelay,
  provenance,
  prior,
  previousClose,
  earlier,
  beside,
  chains,
  histories,
  vix,
  vixQuote,
  bars,
  records,
  figures,
  strikeColumns,
  macro,
  earnings,
  earningsCalendar,
  earningsDates,
  pastBars,
  sessionOpen,
  positions,
  sessionPositions,
  samples,
  strikeMinutes,
  groups,
  optionTotals,
  optionPrints,
  optionBlocks,
  optionMinutes,
  optionWindow,
  stockTotals,
  stockPrints,
  stockBlocks,
  stockMinutes,
  stockSeconds,
  stockWindow,
  newestSamples,
  screened,
  minute,
  halfMinute,
  second,
  session,
  today,
  catalogue,
  account,
  now
}

export type InputName = keyof typeof inputs
type ValueOf<Declared> = Declared extends Input<infer Value, infer _Found> ? Value : never
export type Inputs = { readonly [Name in InputName]: ValueOf<(typeof inputs)[Name]> }

/** An input as the loops over the table see it: what it finds and gives is its own business. */
export function inputNamed(name: InputName): Input<unknown, unknown> {
  return inputs[name] as unknown as Input<unknown, unknown>
}

/** Whether an endpoint reads the market, its date included. */
export function readsMarket(needs: readonly InputName[]): boolean {
  return needs.some((name) => inputNamed(name).kind === 'market')
}

/** Whether an endpoint reads tapes of prints. */
export function readsTapes(needs: readonly InputName[]): boolean {
  return needs.some((name) => inputNamed(name).flowSource !== undefined)
}
