import { printable } from '../../api/params.ts'
import type { ToolArguments } from './question.ts'

interface PromptArgument {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

/** A task that a user starts by name: which views to ask, and what to say of them. */
interface PromptDeclaration {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly PromptArgument[]
  /** Calls to make, as `tool view`, in this order. */
  readonly asks: readonly string[]
  readonly task: (given: Readonly<Record<string, string>>) => string
}

const symbol: PromptArgument = { name: 'symbol', description: 'a ticker, such as SPY', required: true }

export const prompts: readonly PromptDeclaration[] = [
  {
    name: 'morning_brief',
    title: 'Morning brief',
    description: 'Regime, key levels, expected move and what changed since the last close, for one symbol',
    arguments: [symbol],
    asks: [
      'market session',
      'market quality',
      'exposure summary',
      'exposure levels',
      'volatility expected_move',
      'exposure oi_diff',
      'strategies dealer_regime'
    ],
    task: ({ symbol: name }) =>
      `Write the morning brief of ${name}: gamma regime and how far spot is from the flip; call wall, put wall and magnet; the expected move to the nearest expiration; where open interest changed most; what the dealer regime means for the session.`
  },
  {
    name: 'zero_dte_brief',
    title: '0DTE brief',
    description: 'What expires today: exposure, pin, decay, hedging flow and the range that is priced',
    arguments: [symbol],
    asks: [
      'exposure zero_dte',
      'flow zero_dte_snapshot',
      'flow pin_risk',
      'flow zero_dte_hedge_flow',
      'strategies zero_dte'
    ],
    task: ({ symbol: name }) =>
      `Write a brief on the options of ${name} that expire today: share of the whole gamma, the strike that pulls and how strongly, the range that is priced until the close, what dealers hedged so far, and what would break the picture.`
  },
  {
    name: 'what_moved',
    title: 'What moved',
    description: 'Why exposure and levels changed: time, spot, volatility, open interest or flow',
    arguments: [
      symbol,
      { name: 'since', description: 'prior_close, open or a New York time; default prior_close', required: false }
    ],
    asks: ['exposure attribution', 'flow summary', 'flow signals_summary', 'history series'],
    task: ({ symbol: name, since = 'prior_close' }) =>
      `Say what moved the exposure of ${name} since ${since} (argument since of exposure attribution): how much of the change came from each cause, what today's flow did to dealer positions, and how gamma flip and walls went through the session.`
  },
  {
    name: 'compare_with_day',
    title: 'Compare with a past day',
    description: 'The same figures now and at a past moment, as they were known then',
    arguments: [
      symbol,
      { name: 'at', description: 'a past New York time, yyyy-MM-dd or yyyy-MM-ddTHH:mm:ss', required: true }
    ],
    asks: ['exposure summary', 'exposure levels', 'volatility expected_move', 'volatility skew_term'],
    task: ({ symbol: name, at }) =>
      `Compare ${name} now with ${at}: make each call twice, once without at and once with at=${at}. Put net exposures, gamma flip, walls, expected move and skew side by side with their differences, and say which difference matters most.`
  }
]

const RULES =
  'Quote as_of of every figure once. If stale is true, quality is below 60 or source is synthetic, say so first. Where an answer refuses or is null, say that and why; never fill it in. No advice.'

/** Longest argument, characters. */
const MAX_ARGUMENT = 40

/** The text of a prompt; undefined if there is no such prompt. Throws a sentence if an argument is missing. */
export function promptText(
  name: string,
  sent: ToolArguments
): { readonly description: string; readonly text: string } | undefined {
  const prompt = prompts.find((each) => each.name === name)
  if (prompt === undefined) return undefined
  const given: Record<string, string> = {}
  for (const { name: argument, description, required } of prompt.arguments) {
    const value = sent[argument]
    if (typeof value === 'string' && value.trim() !== '') given[argument] = printable(value.trim(), MAX_ARGUMENT)
    else if (required) throw new Error(`${argument} is needed: ${description}`)
  }
  const calls = prompt.asks.map((ask) => `- ${ask.replace(' ', ' view=')} symbol=${given['symbol']}`)
  return { description: prompt.description, text: `${prompt.task(given)}\n\nCalls:\n${calls.join('\n')}\n\n${RULES}` }
}
