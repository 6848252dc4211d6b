/** Net exposures of the contracts that an answer is about, as the answer states them. */
export interface Facts {
  readonly spot: number
  readonly netGex: number | undefined
  readonly netVex: number | undefined
  readonly netChex: number | undefined
  /** The whole answer, for claims about one of its fields. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any endpoint
  readonly answer: any
}

interface Claim {
  readonly name: string
  readonly pattern: RegExp
  /** Whether the claim is true. `at` reads a number of the match, whatever its unit. */
  readonly holds: (at: (group: number) => number, words: readonly string[], facts: Facts) => boolean
}

const money = String.raw`(-?\$[\d,.]*\d(?: (?:billion|million))?)`
const number = String.raw`(-?[\d,]*\.?\d+)`

/** Reads "-$1.84 billion", "35.2" or "1,234". */
function amountIn(text: string): number {
  const scale = text.endsWith('billion') ? 1e9 : text.endsWith('million') ? 1e6 : 1
  return Number(text.replaceAll(/[$,]| (billion|million)/g, '')) * scale
}

const rounded = (price: number) => Number(price.toFixed(2))

/** Whether a price is on the stated side of another, at the precision of sentences. */
function isOn(side: string, price: number, of: number): boolean {
  const gap = rounded(price) - rounded(of)
  return side === 'at' ? gap === 0 : side === 'above' ? gap > 0 : gap < 0
}

const sells = (word: string) => word === 'sell'

/** Everything that a sentence may claim about sizes and sides, with the facts that make it true. */
export const claims: readonly Claim[] = [
  {
    name: 'spot and flip',
    pattern:
      /[Ss]pot(?: at [\d.,]+)? is (?:just |[\d.]+% )?(above|below|at) the gamma flip (?:of this expiration )?(?:at|of) ([\d.,]*\d)/g,
    holds: (at, [side], { spot }) => isOn(side, spot, at(1))
  },
  {
    name: 'side of a level',
    pattern: /(?:call wall|put wall|gamma flip) at ([\d.,]*\d) \((above|below|at) spot\)/g,
    holds: (at, [, side], { spot }) => isOn(side, at(0), spot)
  },
  {
    name: 'range',
    pattern: /between ([\d.,]*\d) and ([\d.,]*\d)/g,
    holds: (at, _, { spot }) => at(0) < spot && spot < at(1)
  },
  {
    name: 'flip below',
    pattern: /(?:A break below|Any move below|falls below) the gamma flip at ([\d.,]*\d)/g,
    holds: (at, _, { spot }) => !isOn('above', at(0), spot)
  },
  {
    name: 'flip above',
    pattern: /(?:A move above|rises above) the gamma flip at ([\d.,]*\d)/g,
    holds: (at, _, { spot }) => !isOn('below', at(0), spot)
  },
  {
    name: 'change of gamma',
    pattern: new RegExp(`Net gamma (rose|fell) to ${money} from ${money}`, 'g'),
    holds: (at, [verb]) => (verb === 'rose' ? at(1) > at(2) : at(1) < at(2))
  },
  {
    name: 'turn of gamma',
    pattern: new RegExp(`Net gamma turned (positive|negative): ${money}, from ${money}`, 'g'),
    holds: (at, [sign]) => (sign === 'positive' ? at(1) > 0 && at(2) < 0 : at(1) < 0 && at(2) > 0)
  },
  {
    name: 'signed change',
    pattern: /previous close \(([+-]?)([\d.,]*\d)%\)/g,
    holds: (_, [sign], { answer }) => sign === (answer.narrative.data.net_gex_change_pct > 0 ? '+' : '-')
  },
  {
    name: 'share',
    pattern: /([\d.,]*\d)% of (?!the mid|its level|its mid)/g,
    holds: (at) => at(0) >= 0 && at(0) <= 100
  },
  {
    name: 'majority',
    pattern: /hold ([\d.,]*\d)% of the chain's gross gamma: (they drive|later expirations)/g,
    holds: (at, [, weight]) => (weight === 'they drive' ? at(0) >= 50 : at(0) <= 50)
  },
  {
    name: 'vanna',
    pattern: /rising volatility makes dealers (buy|sell), falling volatility makes them (buy|sell)/g,
    holds: (_, [up, down], { netVex }) =>
      up !== down && netVex !== undefined && (netVex === 0 || sells(up) === netVex > 0)
  },
  {
    name: 'charm',
    pattern: /time makes dealers (buy|sell), a (headwind|tailwind) for the price/g,
    holds: (_, [act, wind], { netChex }) =>
      netChex !== undefined && (netChex === 0 || sells(act) === netChex > 0) && sells(act) === (wind === 'headwind')
  },
  {
    // A net of less than a cent prints as 0 and has a sign all the same.
    name: 'gamma',
    pattern: /dealers (buy|sell) rallies and (buy|sell) dips, which (dampens|amplifies) moves/g,
    holds: (_, [up, down, effect], { netGex }) =>
      up !== down &&
      netGex !== undefined &&
      (netGex === 0 || sells(up) === netGex > 0) &&
      sells(up) === (effect === 'dampens')
  },
  {
    name: 'hedging by side of the flip',
    pattern: /is (above|below|at) the gamma flip, where hedging (dampens|amplifies) moves/g,
    holds: (_, [side, effect], { spot, answer }) =>
      isOn(side, spot, answer.regime.gamma_flip) && (side === 'at' || (side === 'above') === (effect === 'dampens'))
  },
  {
    name: 'max pain and walls',
    pattern: /Max pain at ([\d.,]*\d) lies (within|outside) the walls/g,
    holds: (at, [, place], { answer: { dealer_alignment: found } }) => {
      const walls = [found.call_wall, found.put_wall]
      return (place === 'within') === (at(0) >= Math.min(...walls) && at(0) <= Math.max(...walls))
    }
  },
  {
    name: 'pin risk',
    pattern: /Pin risk is (high|moderate|low) \(score (\d+)\) at/g,
    holds: (at, [strength]) => strength === (at(1) >= 70 ? 'high' : at(1) >= 40 ? 'moderate' : 'low') && at(1) <= 100
  },
  {
    name: 'day against week',
    pattern:
      /volatility is ([\d.,]*\d)%, against ([\d.,]*\d)% a week out: this expiration is priced (rich|calm|in line)/g,
    holds: (at, [, , word]) => {
      const ratio = at(0) / at(1)
      return word === 'rich' ? ratio > 1.099 : word === 'calm' ? ratio < 0.901 : ratio > 0.899 && ratio < 1.101
    }
  },
  {
    name: 'apart',
    pattern: /at ([\d.]+)% volatility, ([\d.]+) vol points (above|below) the ([\d.]+)% at the money/g,
    holds: (at, [, , side]) => Math.abs(at(0) - at(3) - (side === 'above' ? 1 : -1) * at(1)) <= 0.151
  },
  {
    name: 'realized',
    pattern: /is ([\d.]+)% against ([\d.]+)% realized over 20 days, ([\d.]+) vol points (above|below) it/g,
    holds: (at, [, , , side]) => Math.abs(at(0) - at(1) - (side === 'above' ? 1 : -1) * at(2)) <= 0.151
  },
  {
    name: 'tail against tail',
    pattern: /call trades at ([\d.]+)%: the put is ([\d.]+) vol points (above|below) it/g,
    holds: (at, [, , side], { answer: { metrics } }) =>
      Math.abs(metrics.put_tail_iv_10d - at(0) - (side === 'above' ? 1 : -1) * at(1)) <= 0.151
  },
  {
    name: 'skew',
    pattern: /25-delta puts are ([\d.]+) vol points (above|below) calls/g,
    holds: (at, [, side], { answer: { metrics } }) =>
      Math.abs(metrics.skew_25d - (side === 'above' ? 1 : -1) * at(0)) <= 0.051
  },
  {
    name: 'term',
    pattern: /30-day volatility is ([\d.]+)% (above|below) 7-day volatility/g,
    holds: (at, [, side], { answer: { metrics } }) =>
      Math.abs(metrics.term_slope - (side === 'above' ? 1 : -1) * at(0)) <= 0.0051
  },
  {
    name: 'change of realized',
    pattern: /Realized volatility has (risen|fallen) by ([\d.]+) vol points/g,
    holds: (at, [verb], { answer: { metrics } }) =>
      Math.abs(metrics.rv_change_5d - (verb === 'risen' ? 1 : -1) * at(1)) <= 0.051
  },
  {
    name: 'richness',
    pattern: /the (put|call) wing of [\d-]+ are ([\d.]+) vol points (above|below) the fitted smile/g,
    holds: (at, [wing, , side], { answer: { metrics } }) =>
      Math.abs(metrics[`${wing}_wing_richness`] - (side === 'above' ? 1 : -1) * at(1)) <= 0.051
  },
  {
    name: 'premium by maturity',
    pattern:
      /(positive at every maturity|not positive at any maturity|not positive at every maturity|at most maturities implied volatility is below realized)/g,
    holds: (_, [found], { answer: { term_vrp } }) => {
      const share = term_vrp.filter(({ vrp }: { vrp: number }) => vrp > 0).length / term_vrp.length
      if (found.startsWith('at most')) return share > 0 && share < 0.5
      return found.startsWith('positive')
        ? share === 1
        : found.includes('any')
          ? share === 0
          : share >= 0.5 && share < 1
    }
  },
  {
    name: 'size of the premium',
    pattern: /premium over 20-day realized volatility is (large|moderate|thin)/g,
    holds: (_, __, { answer: { vrp } }) => vrp.vrp_20d > 0
  },
  {
    name: 'no premium',
    pattern: /Implied volatility is not above 20-day realized/g,
    holds: (_, __, { answer: { vrp } }) => vrp.vrp_20d <= 0
  },
  {
    name: 'spot from its open',
    pattern: new RegExp(`Spot moves more than ${number} from its open`, 'g'),
    holds: (at) => at(0) > 0
  }
]

/** Words that compare. A sentence with one that no claim covers is a sentence that nobody checks. */
const comparing =
  /\b(above|below|between|within|outside|over|under|rose|fell|risen|fallen|more than|less than|higher|lower)\b/g

/** Comparisons that are no statement about the market at hand: definitions, rules and conditions of the checks. */
const definitions = [
  /premium over 20-day realized volatility (is|, )/,
  /over (the last )?[\d,]+ (sessions|days|strikes?|expirations?|strike)/,
  /realized over 20 days/,
  /at or above their ask/,
  /under this dealer model/,
  /under stress/,
  /less than a dollar/,
  /no more than the index/,
  /of its range over the last 30 sessions/,
  /below realized volatility of the same length/,
  /bought at the ask and sold at the bid/
]

/** How often each claim was met. */
export const met = new Map<string, number>()

/**
 * What is untrue in a sentence by the facts, and comparisons that no claim covers. In conditions, such as what would end a
 * reading, only the claims are checked.
 */
export function faultsOfClaims(text: string, facts: Facts, isCondition = false): readonly string[] {
  const faults: string[] = []
  let rest = text
  for (const { name, pattern, holds } of claims) {
    for (const match of text.matchAll(pattern)) {
      const words = match.slice(1)
      met.set(name, (met.get(name) ?? 0) + 1)
      if (!holds((group) => amountIn(words[group]), words, facts)) faults.push(`untrue (${name}): ${text}`)
      rest = rest.replace(match[0], ' ')
    }
  }
  if (isCondition) return faults
  for (const definition of definitions) rest = rest.replace(definition, ' ')
  if (rest.match(comparing)) faults.push(`nobody checks a comparison: ${text}`)
  return faults
}

/** Forms that programs write and people do not: words of the language, doubled signs, one of many. */
const illFormed = [
  /undefined|NaN|Infinity|null|\[object| {2}|--|\$-|\+-|%%/,
  /\b1 (contracts|days|minutes|strikes|quotes|quoted strikes|expirations|sessions)\b/,
  /\b(\d*[02-9]|\d*1\d) (contract|day|minute|quote|expiration|session)\b(?!-)/
]

/** What is wrong with the form of a sentence. Labels of correlations begin in lower case. */
export function faultsOfForm(text: string): readonly string[] {
  const isWhole = /^[^a-z].*\.$|^(strongly|moderately|decoupled|mildly|insufficient)/.test(text)
  return isWhole && !illFormed.some((form) => form.test(text)) ? [] : [`ill-formed: ${text}`]
}
