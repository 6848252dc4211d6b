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
}

export const SCREENS = ['overview', 'expirations', 'volatility', 'account', 'status'] as const
export type Screen = (typeof SCREENS)[number]
export const METRICS = ['gex', 'dex', 'vex', 'chex', 'oi', 'oi_change'] as const
export type Metric = (typeof METRICS)[number]

/** The widest and narrowest half of the price window, percent. */
export const [NARROWEST, WIDEST] = [0.5, 20] as const

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
  surface: 'solid'
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
    surface: said.get('surface') === 'heat' ? 'heat' : 'solid'
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
  const said = query.toString().replaceAll('%3A', ':')
  return `#/${place.screen}/${encodeURIComponent(place.symbol)}${said === '' ? '' : `?${said}`}`
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
