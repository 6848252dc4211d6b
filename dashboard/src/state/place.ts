import { legsOf, textOfLegs } from './legs.ts'

/** What a page shows. Its address says all of it, and only what differs from the defaults. */
export interface Place {
  readonly screen: Screen
  readonly symbol: string
  /** A past moment in New York, yyyy-MM-ddTHH:mm:ss; undefined: live. */
  readonly at: string | undefined
  /** Half the price window, percent of spot; undefined: what holds the levels. */
  readonly range: number | undefined
  readonly scale: 'root' | 'linear'
  /** Whether the gamma map stands behind the price. */
  readonly map: boolean
  /** Whether only what expires today is drawn by strike. */
  readonly today: boolean
  readonly metric: Metric
  /** yyyy-MM-dd */
  readonly expiry: string | undefined
  /** Whether the smile is compared with that of the session before. */
  readonly compare: boolean
  readonly surface: 'solid' | 'heat'
  /** Days of the risk premium that are drawn. */
  readonly days: Days
  /** The tickers that an index is held against, separated by commas; undefined: the largest companies. */
  readonly basket: string | undefined
  /** The columns of the screener. */
  readonly view: View
  /** The symbols that are screened: a preset of the service, or the stars of the reader; undefined: all. */
  readonly universe: string | undefined
  /** Conditions and formulas of a screen as text, as the command line takes them. */
  readonly where: string | undefined
  readonly formula: string | undefined
  /** Columns separated by commas, downwards with a minus before them. */
  readonly sort: string | undefined
  /** The legs of a structure as text. */
  readonly legs: string | undefined
  /** Days after today that a structure is valued at. */
  readonly ahead: number
  /** Added to the volatility of every leg, points. */
  readonly shock: number
  /** What the underlying is expected to return in a year, percent. */
  readonly drift: number
}

/** The largest shock to volatility and the largest return in a year either way: points and percent. */
export const [MOST_SHOCK, MOST_DRIFT] = [20, 50] as const

export const SCREENS = ['overview', 'expirations', 'volatility', 'premium', 'lab', 'screener'] as const
export type Screen = (typeof SCREENS)[number]
export const METRICS = ['gex', 'dex', 'vex', 'chex', 'oi', 'oi_change'] as const
export type Metric = (typeof METRICS)[number]
export const DAYS = ['30', '90', '180', '365'] as const
export type Days = (typeof DAYS)[number]
export const VIEWS = ['levels', 'volatility', 'strategies', 'interest', 'flow'] as const
export type View = (typeof VIEWS)[number]

/** The widest and narrowest half of the price window, percent. */
export const [NARROWEST, WIDEST] = [0.5, 20] as const

/** Up to 50 tickers, separated by commas. */
export const BASKET = /^[A-Z0-9.^=-]{1,10}(,[A-Z0-9.^=-]{1,10}){0,49}$/

/** What somebody wrote, without blanks around it. */
const TEXT = /^\S(.{0,998}\S)?$/

const DEFAULT: Place = {
  screen: 'overview',
  symbol: 'SPY',
  at: undefined,
  range: undefined,
  scale: 'root',
  map: true,
  today: false,
  metric: 'gex',
  expiry: undefined,
  compare: false,
  surface: 'solid',
  days: '180',
  basket: undefined,
  view: 'levels',
  universe: undefined,
  where: undefined,
  formula: undefined,
  sort: undefined,
  legs: undefined,
  ahead: 0,
  shock: 0,
  drift: 8
}

/** The place of a fragment such as #/overview/SPY?range=2.5. What it does not say, or says wrongly, is the default. */
export function readPlace(fragment: string): Place {
  const [, path = '', query = ''] = /^#?\/?([^?]*)\??(.*)$/.exec(fragment) ?? []
  const [screen = '', symbol = ''] = path.split('/').map(decoded)
  const said = new URLSearchParams(query)
  const range = Number(said.get('range') ?? Number.NaN)
  return {
    screen: oneOf(SCREENS, screen) ?? DEFAULT.screen,
    symbol: isTicker(symbol.toUpperCase()) ? symbol.toUpperCase() : DEFAULT.symbol,
    at: matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/, said.get('at')),
    range: range >= NARROWEST && range <= WIDEST ? range : undefined,
    scale: said.get('scale') === 'linear' ? 'linear' : 'root',
    map: said.get('map') !== 'off',
    today: said.get('today') === 'only',
    metric: oneOf(METRICS, said.get('metric')) ?? DEFAULT.metric,
    expiry: matching(/^\d{4}-\d\d-\d\d$/, said.get('expiry')),
    compare: said.get('compare') === '1d',
    surface: said.get('surface') === 'heat' ? 'heat' : 'solid',
    days: oneOf(DAYS, said.get('days')) ?? DEFAULT.days,
    basket: matching(BASKET, said.get('basket')),
    view: oneOf(VIEWS, said.get('view')) ?? DEFAULT.view,
    universe: matching(/^[a-z][a-z0-9_]{0,39}$/, said.get('universe')),
    where: matching(TEXT, said.get('where')),
    formula: matching(TEXT, said.get('formula')),
    sort: matching(/^-?[a-z][a-z0-9_]*(,-?[a-z][a-z0-9_]*){0,4}$/, said.get('sort')),
    legs: textOfLegs(legsOf(said.get('legs'))),
    ahead: wholeWithin(said.get('ahead'), 0, 3650) ?? DEFAULT.ahead,
    shock: wholeWithin(said.get('shock'), -MOST_SHOCK, MOST_SHOCK) ?? DEFAULT.shock,
    drift: wholeWithin(said.get('drift'), -MOST_DRIFT, MOST_DRIFT) ?? DEFAULT.drift
  }
}

/** The fragment of a place. */
export function addressOf(place: Place): string {
  const query = new URLSearchParams()
  if (place.at !== undefined) query.set('at', place.at)
  if (place.range !== undefined) query.set('range', String(place.range))
  if (place.scale !== DEFAULT.scale) query.set('scale', place.scale)
  if (!place.map) query.set('map', 'off')
  if (place.today) query.set('today', 'only')
  if (place.metric !== DEFAULT.metric) query.set('metric', place.metric)
  if (place.expiry !== undefined) query.set('expiry', place.expiry)
  if (place.compare) query.set('compare', '1d')
  if (place.surface !== DEFAULT.surface) query.set('surface', place.surface)
  if (place.days !== DEFAULT.days) query.set('days', place.days)
  if (place.basket !== undefined) query.set('basket', place.basket)
  if (place.view !== DEFAULT.view) query.set('view', place.view)
  for (const name of ['universe', 'where', 'formula', 'sort'] as const)
    if (place[name] !== undefined) query.set(name, place[name])
  for (const name of ['ahead', 'shock', 'drift'] as const)
    if (place[name] !== DEFAULT[name]) query.set(name, String(place[name]))
  const said = query.toString().replaceAll('%3A', ':').replaceAll('%2C', ',')
  // Legs hold nothing that an address has to hide, and are read by people.
  const legs = place.legs === undefined ? '' : `legs=${place.legs}`
  const all = [legs, said].filter((each) => each !== '').join('&')
  return `#/${place.screen}/${encodeURIComponent(place.symbol)}${all === '' ? '' : `?${all}`}`
}

export function isTicker(text: string): boolean {
  return /^[A-Z0-9.^=-]{1,10}$/.test(text)
}

function oneOf<T extends string>(words: readonly T[], word: string | null): T | undefined {
  return words.find((each) => each === word)
}

function matching(shape: RegExp, text: string | null): string | undefined {
  return text !== null && shape.test(text) ? text : undefined
}

function wholeWithin(text: string | null, least: number, most: number): number | undefined {
  const value = Number(text ?? Number.NaN)
  return Number.isInteger(value) && value >= least && value <= most ? value : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
