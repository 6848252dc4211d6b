import type { AnswerOf } from 'gammawall/client'
import { fixed, level, percent, usd } from '../../parts/format.ts'
import type { Card } from '../../state/page/place.ts'
import { CARD_NAMES, changeText, figureText } from './card-names.ts'

export type Explained = AnswerOf<'/v1/exposure/explain/{symbol}'>
export type Attributed = AnswerOf<'/v1/exposure/attribution/{symbol}'>
type Parts = Attributed['gex']
type Candidates = NonNullable<Explained['candidates']>
type Crossing = NonNullable<Explained['crossings']>[number]

/** The causes of a change by their names, in the order in which a card lists them. */
export const CAUSES = [
  ['spot', 'Price moved'],
  ['volatility', 'Volatility'],
  ['time', 'Time'],
  ['open_interest', 'Open interest'],
  ['carry', 'Rates and yields'],
  ['listing', 'Listing and expiry']
] as const satisfies readonly (readonly [keyof Parts, string])[]

/** Causes that a sentence names. */
const MOST = 3

/** The largest causes of a change: Price moved +$13.2 B, volatility −$630 M, time −$305 M. */
export function causeWords(card: Card, parts: Parts): string {
  const causes = CAUSES.map(([cause, name]) => ({ name, value: parts[cause] }))
    .filter(({ value }) => value !== 0)
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .slice(0, MOST)
    .map(({ name, value }, i) => `${i === 0 ? name : lowered(name)} ${changeText(card, value)}`)
  return causes.length === 0 ? 'Nothing has changed it.' : `${causes.join(', ')}.`
}

/** A figure then and now. Across zero a percentage says nothing, so the sign is told. */
export function thenAndNow(card: Card, from: number, to: number): string {
  const turned = from * to < 0 ? `, turned ${to > 0 ? 'positive' : 'negative'}` : ''
  return `${figureText(card, from)} → ${figureText(card, to)}${turned}`
}

const lowered = (name: string) => name.charAt(0).toLowerCase() + name.slice(1)

/** Net gamma at a strike then and now. Undefined if it is not among the strikes that changed most. */
export function strikeWords({ top_strikes: rows }: Pick<Attributed, 'top_strikes'>, strike: number | null | undefined) {
  const found = rows.find((row) => row.strike === strike)
  return found && `Net gamma at ${level(found.strike)} was ${usd(found.from)} and is ${usd(found.to)}.`
}

/** From this margin on a lead is told as a ratio, else in percent. */
const CLEAR = 2
/** Smallest lead that is told by its size, percent. */
const SMALLEST = 0.1

/** By how much the first strike leads: 700 leads 5.8 to 1. Undefined without strikes. */
export function leadWords(card: Card, { rows, margin, moved_overnight: moved }: Candidates): string | undefined {
  const [first, second] = rows
  if (first === undefined) return undefined
  if (second === undefined) return `${level(first.strike)} is the only strike with any.`
  const overnight =
    moved === null ? '' : ` · a wall with this margin moved overnight ${fixed(100 * moved, 0)} of 100 times`
  return `${lead(card, first, second, margin)}${overnight}`
}

function lead(
  card: Card,
  first: Candidates['rows'][number],
  second: Candidates['rows'][number],
  margin: number | null
) {
  const [leader, runnerUp] = [level(first.strike), level(second.strike)]
  if (first.value === second.value) return `${leader} and ${runnerUp} are equal; the one nearer to spot counts`
  if (card === 'max_pain')
    return `${leader} pays holders ${share(margin, (ratio) => 1 - 1 / ratio)}less than ${runnerUp}`
  if (margin !== null && margin >= CLEAR) return `${leader} leads ${fixed(margin, 1)} to 1`
  return `${leader} leads ${runnerUp}${share(margin, (ratio) => ratio - 1, ' by ', '')}`
}

/** A share from a margin in percent. Empty if there is no margin. */
function share(margin: number | null, of: (ratio: number) => number, before = '', after = ' '): string {
  if (margin === null) return ''
  const size = 100 * of(margin)
  const text = size < SMALLEST ? `under ${percent(SMALLEST, 'plain')}` : percent(size, 'plain')
  return `${before}${text}${after}`
}

/** On which sides of the flip net gamma is positive, how steep it is there, and where else it crosses zero. */
export function crossingWords(crossings: readonly Crossing[]): readonly string[] {
  const chosen = crossings.find((each) => each.chosen)
  const others = crossings.filter((each) => !each.chosen).map(({ spot }) => level(spot))
  return [
    ...(chosen === undefined
      ? []
      : [
          `Net gamma is ${chosen.from} below ${level(chosen.spot)} and ${chosen.to} above; a move of 1 % there changes it by ${usd(Math.abs(chosen.slope))}.`
        ]),
    ...(others.length === 0 ? [] : [`It ${chosen === undefined ? '' : 'also '}crosses zero at ${listed(others)}.`])
  ]
}

const listed = (words: readonly string[]) =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

const NULL_REASONS: Readonly<Record<NonNullable<Explained['null_reason']>, string>> = {
  no_exposure: 'No contract has exposure.',
  no_open_interest: 'No contract has open interest.',
  no_same_day: 'Nothing expires today.',
  one_sided: 'Net gamma has one sign at every price within 50 %.',
  other_side: 'Net gamma crosses zero, but spot is on the wrong side of the crossing.',
  outside_strikes: 'Net gamma crosses zero only beyond all listed strikes.'
}

/** Why a figure does not exist. Undefined if it does. */
export function missingWords(card: Card, reason: Explained['null_reason']): string | undefined {
  return reason === null ? undefined : `There is no ${lowered(CARD_NAMES[card].name)}. ${NULL_REASONS[reason]}`
}

/** Why a change cannot be told, though its figure is known: nothing is recorded of the moment it is told from. */
export function unexplainedWords(since: string | undefined): string {
  if (since === undefined) return 'No session before this one is recorded.'
  return since === 'open' ? 'The open of this session is not recorded.' : 'Nothing is recorded of that moment.'
}

/** The rule of a level that gamma does not change, or not that of all expirations. */
export const RULES: Readonly<Partial<Record<Card, string>>> = {
  max_pain:
    'The price at which holders of all options would be paid least. It depends on open interest alone: it moves when that is published, or when options expire.',
  magnet: 'The strike with the largest net gamma of the options that expire today.'
}
