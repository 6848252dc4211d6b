import { readSet } from './expiration-set.ts'
import { legsOf, textOfLegs } from './legs.ts'
import { SCREEN_IDS, type Screen } from './screens.ts'

export const METRICS = ['gex', 'dex', 'vex', 'chex', 'oi', 'oi_change'] as const
export type Metric = (typeof METRICS)[number]
/** Models of the positions that dealers hold. */
export const DEALERS = ['convention', 'all_short', 'index_overwriting', 'tape'] as const
export type Dealers = (typeof DEALERS)[number]
export const WHENS = ['now', 'close', 'next_open'] as const
export type When = (typeof WHENS)[number]
export const SIDES = ['buy', 'sell', 'mid'] as const
export const RIGHTS = ['C', 'P'] as const
export const TAGS = ['golden', 'whale', 'sweep', 'block', 'opening', 'closing', '0dte'] as const
/** Expirations whose hedging pressure is drawn. */
export const SCOPES = ['all', 'next', '0dte', 'rest'] as const
/** Measures that can be drawn beside the delta of hedging pressure. */
export const SECOND_GREEKS = ['gamma', 'vega'] as const
export const DAYS = ['30', '90', '180', '365'] as const
/** Periods that a chart covers; d: sessions, m: months. */
export const PERIODS = ['1d', '5d', '20d', '3m', 'all'] as const
export type Period = (typeof PERIODS)[number]
/** Lengths of a bar. */
export const STEPS = ['1m', '5m', '15m', '30m', '1h', '1d'] as const
export type Step = (typeof STEPS)[number]
/** Levels of a chart that an address can leave out. */
export const LEVEL_GROUPS = ['walls', 'flip', 'zero_dte', 'max_pain'] as const
export type LevelGroup = (typeof LEVEL_GROUPS)[number]
/** Figures that the service explains, by its names. */
export const EXPLAINED = [
  'net_gex',
  'net_dex',
  'net_vex',
  'net_chex',
  'gamma_flip',
  'call_wall',
  'put_wall',
  'magnet',
  'max_pain'
] as const
export type Explained = (typeof EXPLAINED)[number]
/** Figures of which the service keeps a history alone, by their names in `/v1/series`. */
export const RECORDED = [
  'atm_iv',
  'zero_dte.pin_score',
  'zero_dte.theta_per_hour',
  'zero_dte.remaining_1sd_dollars',
  'flow.net_gex_live',
  'flow.hedge.delta',
  'flow.hedge.delta_next',
  'flow.hedge.gamma',
  'flow.hedge.vega'
] as const
export type Recorded = (typeof RECORDED)[number]
/** Figures that have a card. */
export const CARDS = [...EXPLAINED, ...RECORDED] as const
export type Card = Explained | Recorded
/** Signals of strategies, by their names in paths of the service, and the next report of a company. */
export const SIGNALS = [
  'dealer-regime',
  'vol-carry',
  'term-structure',
  'skew',
  'tail-pricing',
  'yield-enhancement',
  'expiry-positioning',
  'zero-dte',
  'surface-anomaly',
  'flow-anomaly'
] as const
export type Signal = (typeof SIGNALS)[number]
export const IDEAS = [...SIGNALS, 'report'] as const
/** Parts of a card. */
export const TABS = ['why', 'rests', 'sure', 'history'] as const
export type Tab = (typeof TABS)[number]
export const VIEWS = ['levels', 'volatility', 'strategies', 'interest', 'flow'] as const
export type View = (typeof VIEWS)[number]

/** Bounds of half the price window, percent of spot. */
export const [NARROWEST, WIDEST] = [0.5, 20] as const
/** Range and step of the price slider of the hedging screen, percent. */
export const [FARTHEST_MOVE, MOVE_STEP] = [10, 0.25] as const
/** Range of the volatility slider, points. */
export const FARTHEST_VOL = 10
/** Smallest premiums to choose from, USD. */
export const PREMIUMS = [10_000, 50_000, 250_000, 1_000_000] as const
/** Largest shock to volatility in points, and largest yearly return in percent, in either direction. */
export const [MAX_SHOCK, MAX_DRIFT] = [20, 50] as const
/** Most figures below a chart, and most symbols beside its own. */
export const [MOST_PANES, MOST_COMPARED] = [4, 4] as const
const TICKER = '[A-Z0-9.^][A-Z0-9.^=-]{0,9}'
const FIELD = '[a-z0-9_.]{1,40}'
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/
/** A symbol as people type it: BRK.B, BRK-B, BRK/B, BRK B, ^SPX or $SPX. */
const TYPED_SYMBOL = /^[A-Z0-9.^$](?:[A-Z0-9.^=/ -]{0,8}[A-Z0-9.^=-])?$/
/** Up to 50 tickers, separated by commas. */
export const BASKET = new RegExp(`^${TICKER}(,${TICKER}){0,49}$`)
/** Free text without blanks around it. */
const TEXT = /^\S(.{0,998}\S)?$/

/** A setting of a page that its address holds. */
interface Parameter<Value> {
  /** The default, also if the address has a value that is not allowed. */
  readonly initial: Value
  readonly read: (text: string) => Value | undefined
  readonly write: (value: Value) => string
  /** Its name in the address, if not its own. Two settings may share one if no text is a value of both. */
  readonly name?: string
}

/** The settings of a page besides screen and symbol, by their names in the address. */
const PARAMETERS = {
  legs: text((value) => textOfLegs(legsOf(value))),
  /** A past moment in New York, yyyy-MM-ddTHH:mm:ss; undefined: live. */
  at: text(MOMENT),
  /** Half the price window, percent of spot; undefined: wide enough for the levels. */
  range: number(undefined, (value) => value >= NARROWEST && value <= WIDEST),
  /** The period of the chart, as a word: it ends now. */
  period: { ...oneOf(PERIODS, '5d'), name: 'range' },
  /** Length of a bar; undefined: by the period. */
  every: oneOf(STEPS, undefined),
  /** The part of the chart that is seen, moments in New York; undefined: from the first bar, to the last. */
  from: text(MOMENT),
  to: text(MOMENT),
  /** Levels that are left out of the chart, each after a minus. */
  levels: text(/^-[a-z_]+(,-[a-z_]+){0,9}$/),
  /** Figures below the chart, or none. */
  panes: text(new RegExp(`^${FIELD}(,${FIELD}){0,${MOST_PANES - 1}}$`)),
  /** Tickers that are drawn beside the one of the page. */
  versus: { ...text(new RegExp(`^${TICKER}(,${TICKER}){0,${MOST_COMPARED - 1}}$`)), name: 'compare' },
  /** The ticker whose levels are drawn over the chart. */
  carried: { ...text(new RegExp(`^${TICKER}$`)), name: 'carry' },
  /** The figure whose card is open; undefined: none is. */
  card: oneOf(CARDS, undefined),
  /** The expirations that the figure of the card is of; undefined: those of the page. */
  cardSet: { ...text(readSet), name: 'of' },
  tab: oneOf(TABS, 'why'),
  /** The moment since which a card explains a change: the open, or one in New York; undefined: the last close. */
  since: text((value) => (value === 'open' || MOMENT.test(value) ? value : undefined)),
  /** The figure, or the signal, that a new alert is about at first; undefined: the price. */
  watch: oneOf([...EXPLAINED, ...SIGNALS], undefined),
  /** The signal that is open; undefined: the best. */
  idea: oneOf(IDEAS, undefined),
  /** Whether the chart shows the strikes, and the move that options price. */
  strikes: flag(true, 'off'),
  cone: flag(true, 'off'),
  scale: oneOf(['root', 'linear'], 'root'),
  /** Whether a map is drawn behind the price. */
  map: flag(true, 'off'),
  /** Whether the bars by strike show only contracts that expire today. */
  today: flag(false, 'only'),
  metric: oneOf(METRICS, 'gex'),
  dealers: oneOf(DEALERS, 'convention'),
  /** The set of expirations that exposures are of: a name or dates; undefined: all. */
  expirations: text(readSet),
  /** yyyy-MM-dd */
  expiry: text(/^\d{4}-\d\d-\d\d$/),
  /** Whether the smile of the previous session is drawn too. */
  compare: flag(false, '1d'),
  surface: oneOf(['solid', 'heat'], 'solid'),
  /** The map behind the price of today: gamma, or hedging caused by flow. */
  heat: oneOf(['gamma', 'flow'], 'gamma'),
  /** Price at which hedging is shown, percent from spot. */
  move: number(0, (value) => Math.abs(value) <= FARTHEST_MOVE && Number.isInteger(value / MOVE_STEP)),
  /** Points added to every volatility. */
  vol: whole(0, -FARTHEST_VOL, FARTHEST_VOL),
  /** The time for which exposures are computed. */
  when: oneOf(WHENS, 'now'),
  /** Filters of the tape; undefined: all prints. */
  side: oneOf(SIDES, undefined),
  right: oneOf(RIGHTS, undefined),
  tag: oneOf(TAGS, undefined),
  /** Smallest premium of a print, USD. */
  least: number(undefined, (value) => PREMIUMS.some((each) => each === value)),
  scope: oneOf(SCOPES, 'all'),
  greek: oneOf(SECOND_GREEKS, 'gamma'),
  /** Days of the risk premium that are drawn. */
  days: oneOf(DAYS, '180'),
  /** Tickers that an index is compared with, separated by commas; undefined: the largest companies. */
  basket: text(BASKET),
  /** Group of columns of the screener. */
  view: oneOf(VIEWS, 'levels'),
  /** The reader's list whose symbols are watched, and screened as `stars`; undefined: the stars. */
  list: text(/^[a-z0-9][a-z0-9-]{0,39}$/),
  /** The symbols to screen: a preset of the service, or `stars`; undefined: all. */
  universe: text(/^[a-z][a-z0-9_]{0,39}$/),
  /** Conditions and formulas, in the syntax of the command line. */
  where: text(TEXT),
  formula: text(TEXT),
  /** Columns separated by commas; a minus before a column sorts downwards. */
  sort: text(/^-?[a-z][a-z0-9_]*(,-?[a-z][a-z0-9_]*){0,4}$/),
  /** The open layout of the workspace; undefined: the first one. */
  layout: text(/^[a-z0-9][a-z0-9-]{0,39}$/),
  /** A layout that somebody shared, encoded. */
  shared: text(/^[\w-]{1,8000}$/),
  /** Days after today at which a structure is valued. */
  ahead: whole(0, 0, 3650),
  /** Points added to the volatility of every leg. */
  shock: whole(0, -MAX_SHOCK, MAX_SHOCK),
  /** Expected yearly return of the underlying, percent. */
  drift: whole(8, -MAX_DRIFT, MAX_DRIFT)
}

type Parameters = typeof PARAMETERS
type ValueOf<Given> = Given extends Parameter<infer Value> ? Value : never

/** Everything that a page shows, as its address says. The address holds only what differs from the defaults. */
export type Place = { readonly screen: Screen; readonly symbol: string } & {
  readonly [Name in keyof Parameters]: ValueOf<Parameters[Name]>
}

const entries = Object.entries(PARAMETERS) as readonly [keyof Parameters, Parameter<unknown>][]

/** Reads a fragment such as #/overview/SPY?range=2.5. Anything missing or invalid takes its default. */
export function readPlace(fragment: string): Place {
  const [, path = '', query = ''] = /^#?\/?([^?]*)\??(.*)$/.exec(fragment) ?? []
  const [screen = '', symbol = ''] = path.split('/').map(decoded)
  const params = new URLSearchParams(query)
  const read = entries.map(([name, { initial, read, name: inAddress = name }]) => {
    const found = params.getAll(inAddress).map(read)
    return [name, found.find((each) => each !== undefined) ?? initial]
  })
  return {
    screen: SCREEN_IDS.find((each) => each === screen) ?? 'overview',
    symbol: isTicker(symbol.toUpperCase()) ? symbol.toUpperCase() : 'SPY',
    ...Object.fromEntries(read)
  } as Place
}

export function addressOf(place: Place): string {
  const settings = entries.flatMap(([name, { initial, write, name: inAddress = name }]) =>
    place[name] === initial ? [] : [`${inAddress}=${escaped(name, write(place[name]))}`]
  )
  return `#/${place.screen}/${encodeURIComponent(place.symbol)}${settings.length === 0 ? '' : `?${settings.join('&')}`}`
}

export function isTicker(text: string): boolean {
  return TYPED_SYMBOL.test(text)
}

/** Encodes a value but leaves common characters readable. Legs need no encoding. */
function escaped(name: keyof Parameters, value: string): string {
  return name === 'legs' ? value : encodeURIComponent(value).replace(/%(3A|2C|40|20)/g, (code) => readable[code]!)
}

const readable: Readonly<Record<string, string>> = { '%3A': ':', '%2C': ',', '%40': '@', '%20': '+' }

/** Text that matches a pattern or that a function accepts; undefined by default. */
function text(shape: RegExp | ((value: string) => string | undefined)): Parameter<string | undefined> {
  const read = shape instanceof RegExp ? (value: string) => (shape.test(value) ? value : undefined) : shape
  return { initial: undefined, read, write: String }
}

/** One of several words. */
function oneOf<Word extends string, Initial extends Word | undefined>(
  words: readonly Word[],
  initial: Initial
): Parameter<Word | Initial> {
  return { initial, read: (value) => words.find((each) => each === value), write: String }
}

/** A switch that one word turns from its default. */
function flag(initial: boolean, word: string): Parameter<boolean> {
  return { initial, read: (value) => (value === word ? !initial : undefined), write: () => word }
}

function number<Initial extends number | undefined>(
  initial: Initial,
  isPossible: (value: number) => boolean
): Parameter<number | Initial> {
  const read = (digits: string) => {
    const value = digits === '' ? Number.NaN : Number(digits) + 0 // Adding 0 turns -0 into 0.
    return isPossible(value) ? value : undefined
  }
  return { initial, read, write: String }
}

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
