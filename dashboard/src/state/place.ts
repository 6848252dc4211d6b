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
  /** What is drawn by strike and time behind the price of the day: gamma, or the delta that flow made dealers trade. */
  readonly heat: 'gamma' | 'flow'
  /** How far from spot the price is that hedging is told at, percent. */
  readonly move: number
  /** Points added to every volatility. */
  readonly vol: number
  /** The moment that the clock is moved to. */
  readonly when: When
  /** The prints that the tape shows; undefined: all. */
  readonly side: Side | undefined
  readonly right: Right | undefined
  readonly tag: Tag | undefined
  /** The least premium of a print, USD. */
  readonly least: number | undefined
}

export const SCREENS = ['overview', 'expirations', 'zero-dte', 'volatility', 'hedging', 'flow'] as const
export type Screen = (typeof SCREENS)[number]
export const METRICS = ['gex', 'dex', 'vex', 'chex', 'oi', 'oi_change'] as const
export type Metric = (typeof METRICS)[number]
export const WHENS = ['now', 'close', 'next_open'] as const
export type When = (typeof WHENS)[number]
export const SIDES = ['buy', 'sell', 'mid'] as const
export type Side = (typeof SIDES)[number]
export const RIGHTS = ['C', 'P'] as const
export type Right = (typeof RIGHTS)[number]
export const TAGS = ['golden', 'whale', 'sweep', 'block', 'opening', 'closing', '0dte'] as const
export type Tag = (typeof TAGS)[number]

/** The widest and narrowest half of the price window, percent. */
export const [NARROWEST, WIDEST] = [0.5, 20] as const
/** How far the price moves that hedging is told at, percent, and in steps of how much. */
export const [FARTHEST_MOVE, MOVE_STEP] = [10, 0.25] as const
/** How far volatility is moved, points. */
export const FARTHEST_VOL = 10
/** Premiums that prints are chosen by, USD. */
export const PREMIUMS = [10_000, 50_000, 250_000, 1_000_000] as const

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
  heat: 'gamma',
  move: 0,
  vol: 0,
  when: 'now',
  side: undefined,
  right: undefined,
  tag: undefined,
  least: undefined
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
    heat: said.get('heat') === 'flow' ? 'flow' : 'gamma',
    move: stepped(said.get('move'), FARTHEST_MOVE, MOVE_STEP),
    vol: stepped(said.get('vol'), FARTHEST_VOL, 1),
    when: oneOf(WHENS, said.get('when')) ?? DEFAULT.when,
    side: oneOf(SIDES, said.get('side')),
    right: oneOf(RIGHTS, said.get('right')),
    tag: oneOf(TAGS, said.get('tag')),
    least: PREMIUMS.find((each) => String(each) === said.get('least'))
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
  if (place.heat !== DEFAULT.heat) query.set('heat', place.heat)
  if (place.move !== DEFAULT.move) query.set('move', String(place.move))
  if (place.vol !== DEFAULT.vol) query.set('vol', String(place.vol))
  if (place.when !== DEFAULT.when) query.set('when', place.when)
  if (place.side !== undefined) query.set('side', place.side)
  if (place.right !== undefined) query.set('right', place.right)
  if (place.tag !== undefined) query.set('tag', place.tag)
  if (place.least !== undefined) query.set('least', String(place.least))
  const said = query.toString().replaceAll('%3A', ':')
  return `#/${place.screen}/${encodeURIComponent(place.symbol)}${said === '' ? '' : `?${said}`}`
}

export function isTicker(text: string): boolean {
  return /^[A-Z0-9.^=-]{1,10}$/.test(text)
}

function oneOf<T extends string>(words: readonly T[], word: string | null): T | undefined {
  return words.find((each) => each === word)
}

/** A number on a step and no farther than `most` from 0, else 0. */
function stepped(text: string | null, most: number, step: number): number {
  const value = Number(text ?? 0)
  return Math.abs(value) <= most && Number.isInteger(value / step) ? value + 0 : 0
}

function matching(shape: RegExp, text: string | null): string | undefined {
  return text !== null && shape.test(text) ? text : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
