import { legsOf, textOfLegs } from './legs.ts'
import { SCREEN_IDS, type Screen } from './screens.ts'

export const METRICS = ['gex', 'dex', 'vex', 'chex', 'oi', 'oi_change'] as const
export type Metric = (typeof METRICS)[number]
/** What dealers are taken to hold. */
export const DEALERS = ['convention', 'all_short', 'index_overwriting', 'tape'] as const
export type Dealers = (typeof DEALERS)[number]
export const WHENS = ['now', 'close', 'next_open'] as const
export type When = (typeof WHENS)[number]
export const SIDES = ['buy', 'sell', 'mid'] as const
export const RIGHTS = ['C', 'P'] as const
export const TAGS = ['golden', 'whale', 'sweep', 'block', 'opening', 'closing', '0dte'] as const
export const DAYS = ['30', '90', '180', '365'] as const
export const VIEWS = ['levels', 'volatility', 'strategies', 'interest', 'flow'] as const
export type View = (typeof VIEWS)[number]

/** The widest and narrowest half of the price window, percent. */
export const [NARROWEST, WIDEST] = [0.5, 20] as const
/** How far the price moves that hedging is told at, percent, and in steps of how much. */
export const [FARTHEST_MOVE, MOVE_STEP] = [10, 0.25] as const
/** How far volatility is moved, points. */
export const FARTHEST_VOL = 10
/** Premiums that prints are chosen by, USD. */
export const PREMIUMS = [10_000, 50_000, 250_000, 1_000_000] as const
/** The largest shock to volatility and the largest return in a year either way: points and percent. */
export const [MAX_SHOCK, MAX_DRIFT] = [20, 50] as const
/** Up to 50 tickers, separated by commas. */
export const BASKET = /^[A-Z0-9.^=-]{1,10}(,[A-Z0-9.^=-]{1,10}){0,49}$/
/** What somebody wrote, without blanks around it. */
const TEXT = /^\S(.{0,998}\S)?$/

/** Something that a page shows in one way or another, and how its address says so. */
interface Parameter<Value> {
  /** What holds where the address says nothing, or nothing that can be. */
  readonly initial: Value
  readonly read: (text: string) => Value | undefined
  readonly write: (value: Value) => string
}

/** Everything of a place but its screen and symbol, by the name in its address. */
const PARAMETERS = {
  /** The legs of a structure. */
  legs: text((said) => textOfLegs(legsOf(said))),
  /** A past moment in New York, yyyy-MM-ddTHH:mm:ss; undefined: live. */
  at: text(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/),
  /** Half the price window, percent of spot; undefined: what holds the levels. */
  range: number(undefined, (value) => value >= NARROWEST && value <= WIDEST),
  scale: oneOf(['root', 'linear'], 'root'),
  /** Whether a map stands behind the price. */
  map: flag(true, 'off'),
  /** Whether only what expires today is drawn by strike. */
  today: flag(false, 'only'),
  metric: oneOf(METRICS, 'gex'),
  dealers: oneOf(DEALERS, 'convention'),
  /** yyyy-MM-dd */
  expiry: text(/^\d{4}-\d\d-\d\d$/),
  /** Whether the smile is compared with that of the session before. */
  compare: flag(false, '1d'),
  surface: oneOf(['solid', 'heat'], 'solid'),
  /** What is drawn by strike and time behind the price of the day: gamma, or the delta that flow made dealers trade. */
  heat: oneOf(['gamma', 'flow'], 'gamma'),
  /** How far from spot the price is that hedging is told at, percent. */
  move: number(0, (value) => Math.abs(value) <= FARTHEST_MOVE && Number.isInteger(value / MOVE_STEP)),
  /** Points added to every volatility. */
  vol: whole(0, -FARTHEST_VOL, FARTHEST_VOL),
  /** The moment that the clock is moved to. */
  when: oneOf(WHENS, 'now'),
  /** The prints that the tape shows; undefined: all. */
  side: oneOf(SIDES, undefined),
  right: oneOf(RIGHTS, undefined),
  tag: oneOf(TAGS, undefined),
  /** The least premium of a print, USD. */
  least: number(undefined, (value) => PREMIUMS.some((each) => each === value)),
  /** Days of the risk premium that are drawn. */
  days: oneOf(DAYS, '180'),
  /** The tickers that an index is held against, separated by commas; undefined: the largest companies. */
  basket: text(BASKET),
  /** The columns of the screener. */
  view: oneOf(VIEWS, 'levels'),
  /** The symbols that are screened: a preset of the service, or the stars of the reader; undefined: all. */
  universe: text(/^[a-z][a-z0-9_]{0,39}$/),
  /** Conditions and formulas of a screen as text, as the command line takes them. */
  where: text(TEXT),
  formula: text(TEXT),
  /** Columns separated by commas, downwards with a minus before them. */
  sort: text(/^-?[a-z][a-z0-9_]*(,-?[a-z][a-z0-9_]*){0,4}$/),
  /** Days after today that a structure is valued at. */
  ahead: whole(0, 0, 3650),
  /** Added to the volatility of every leg, points. */
  shock: whole(0, -MAX_SHOCK, MAX_SHOCK),
  /** What the underlying is expected to return in a year, percent. */
  drift: whole(8, -MAX_DRIFT, MAX_DRIFT)
}

type Parameters = typeof PARAMETERS
type ValueOf<Given> = Given extends Parameter<infer Value> ? Value : never

/** What a page shows. Its address says all of it, and only what differs from the defaults. */
export type Place = { readonly screen: Screen; readonly symbol: string } & {
  readonly [Name in keyof Parameters]: ValueOf<Parameters[Name]>
}

const entries = Object.entries(PARAMETERS) as readonly [keyof Parameters, Parameter<unknown>][]

/** The place of a fragment such as #/overview/SPY?range=2.5. What it does not say, or says wrongly, is the default. */
export function readPlace(fragment: string): Place {
  const [, path = '', query = ''] = /^#?\/?([^?]*)\??(.*)$/.exec(fragment) ?? []
  const [screen = '', symbol = ''] = path.split('/').map(decoded)
  const said = new URLSearchParams(query)
  const read = entries.map(([name, { initial, read }]) => {
    const words = said.get(name)
    return [name, (words === null ? undefined : read(words)) ?? initial]
  })
  return {
    screen: SCREEN_IDS.find((each) => each === screen) ?? 'overview',
    symbol: isTicker(symbol.toUpperCase()) ? symbol.toUpperCase() : 'SPY',
    ...Object.fromEntries(read)
  } as Place
}

/** The fragment of a place. */
export function addressOf(place: Place): string {
  const said = entries.flatMap(([name, { initial, write }]) =>
    place[name] === initial ? [] : [`${name}=${escaped(name, write(place[name]))}`]
  )
  return `#/${place.screen}/${encodeURIComponent(place.symbol)}${said.length === 0 ? '' : `?${said.join('&')}`}`
}

export function isTicker(text: string): boolean {
  return /^[A-Z0-9.^=-]{1,10}$/.test(text)
}

/** What an address has to hide is hidden; legs hold nothing such, and all of it is read by people. */
function escaped(name: keyof Parameters, value: string): string {
  return name === 'legs' ? value : encodeURIComponent(value).replace(/%(3A|2C|40|20)/g, (code) => readable[code]!)
}

const readable: Readonly<Record<string, string>> = { '%3A': ':', '%2C': ',', '%40': '@', '%20': '+' }

/** A text of a shape, or one that is read by a function; undefined where nothing is said. */
function text(shape: RegExp | ((said: string) => string | undefined)): Parameter<string | undefined> {
  const read = shape instanceof RegExp ? (said: string) => (shape.test(said) ? said : undefined) : shape
  return { initial: undefined, read, write: String }
}

/** One of some words. */
function oneOf<Word extends string, Initial extends Word | undefined>(
  words: readonly Word[],
  initial: Initial
): Parameter<Word | Initial> {
  return { initial, read: (said) => words.find((each) => each === said), write: String }
}

/** What is said by one word, or left unsaid. */
function flag(initial: boolean, word: string): Parameter<boolean> {
  return { initial, read: (said) => (said === word ? !initial : undefined), write: () => word }
}

function number<Initial extends number | undefined>(
  initial: Initial,
  isPossible: (value: number) => boolean
): Parameter<number | Initial> {
  const read = (said: string) => {
    const value = said === '' ? Number.NaN : Number(said) + 0 // -0 is 0
    return isPossible(value) ? value : undefined
  }
  return { initial, read, write: String }
}

/** A whole number within bounds. */
function whole(initial: number, least: number, most: number): Parameter<number> {
  return number(initial, (value) => Number.isInteger(value) && value >= least && value <= most)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
