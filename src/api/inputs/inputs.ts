import { account } from './account.ts'
import { chains, histories } from './basket.ts'
import { catalogue } from './catalogue.ts'
import { secondChain, vix, vixQuote } from './context-chains.ts'
import { bandHistory, bars, records } from './daily-history.ts'
import { earlier, previousClose, prior } from './earlier-chains.ts'
import { earnings, earningsCalendar, earningsDates, pastBars } from './earnings.ts'
import { figures, strikeColumns } from './figures.ts'
import {
  customers,
  groups,
  newestSamples,
  optionBlocks,
  optionMinutes,
  optionPrints,
  optionTotals,
  optionWindow,
  pastPressure,
  positions,
  pressure,
  samples,
  sessionOpen,
  sessionPositions,
  stockBlocks,
  stockMinutes,
  stockPrints,
  stockSeconds,
  stockTotals,
  stockWindow,
  strikeMinutes
} from './flow.ts'
import type { Input } from './input.ts'
import { anyQuote, tapeSubject } from './known-symbol.ts'
import { macro } from './macro.ts'
import { halfMinute, minute, now, second, session, today } from './market-time.ts'
import { pastPrices } from './past-prices.ts'
import { screened } from './screened.ts'
import { anyChain, chain, distrust, lastKnown, provenance, quote, sourceDelay } from './symbol-chain.ts'

/** All inputs. An endpoint names what it needs and sees nothing else. A new input is one file and one line here. */
export const inputs = {
  chain,
  anyChain,
  quote,
  anyQuote,
  tapeSubject,
  lastKnown,
  sourceDelay,
  provenance,
  distrust,
  prior,
  previousClose,
  earlier,
  secondChain,
  chains,
  histories,
  vix,
  vixQuote,
  bars,
  records,
  bandHistory,
  figures,
  strikeColumns,
  pastPrices,
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
  customers,
  pastPressure,
  pressure,
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

/** An input without its type parameters, for loops over all inputs. */
export function inputNamed(name: InputName): Input<unknown, unknown> {
  return inputs[name] as unknown as Input<unknown, unknown>
}

/** Whether an endpoint reads the market, including its date. */
export function readsMarket(needs: readonly InputName[]): boolean {
  return needs.some((name) => inputNamed(name).kind === 'market')
}

export function readsTapes(needs: readonly InputName[]): boolean {
  return needs.some((name) => inputNamed(name).flowSource !== undefined)
}
