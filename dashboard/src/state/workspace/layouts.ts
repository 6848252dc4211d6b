import { isTicker, type Place, readPlace } from '../page/place.ts'

/** Panels that can be arranged for any symbol. */
export const OWN_KINDS = ['chart', 'levels', 'today', 'hedging', 'expirations', 'reading'] as const
/** Panels that show the symbol of the page only. */
export const PAGE_KINDS = ['matrix', 'pain', 'smile', 'surface', 'terms', 'skew', 'profile'] as const
export const KINDS = [...OWN_KINDS, ...PAGE_KINDS] as const
export type Kind = (typeof KINDS)[number]
export const isOfPageOnly = (kind: Kind): boolean => PAGE_KINDS.some((each) => each === kind)

/** Links of panels: to the page, to a second group with a symbol of its own, or none. */
export const LINKS = ['blue', 'green', 'none'] as const
export type Link = (typeof LINKS)[number]

/** Word for the symbol of a panel that follows its link. */
export const LINKED = 'linked'

export interface PanelSpec {
  readonly kind: Kind
  /** A ticker, or `linked`. */
  readonly symbol: string
  readonly link: Link
  /** Settings as in the query of an address. */
  readonly query: string
  /** Share of the room beside its neighbours. */
  readonly size: number
}

/** Parts beside each other in columns, or below each other in rows. */
export interface Split {
  readonly split: 'columns' | 'rows'
  readonly parts: readonly Part[]
  readonly size: number
}
export type Part = PanelSpec | Split

export interface Layout {
  readonly name: string
  readonly root: Part
  /** Symbol, moment and expirations of the green link, as an address. */
  readonly green: string
}

/** Most panels of a layout, and how deep parts may lie within parts. */
export const MOST_PANELS = 9
const DEEPEST = 6
/** Bounds of a share. */
const [SMALLEST, LARGEST] = [1, 12] as const
const NAME = /^\S(.{0,38}\S)?$/
/** Longest settings of a panel. */
const LONGEST = 2000

export const isSplit = (part: Part): part is Split => 'split' in part

/** The panels from the first to the last, as the keyboard reaches them. */
export function panelsOf(part: Part): readonly PanelSpec[] {
  return isSplit(part) ? part.parts.flatMap(panelsOf) : [part]
}

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** A layout out of a document that somebody may have written by hand. Undefined if it is none. */
export function readLayout(value: unknown): Layout | undefined {
  if (!isFields(value)) return undefined
  const { name, root, green } = value
  const read = readPart(root, DEEPEST)
  if (typeof name !== 'string' || !NAME.test(name) || read === undefined) return undefined
  if (panelsOf(read).length > MOST_PANELS) return undefined
  return { name, root: read, green: typeof green === 'string' && green.length <= LONGEST ? green : '#/workspace/SPY' }
}

function readPart(value: unknown, deep: number): Part | undefined {
  if (!isFields(value) || deep === 0) return undefined
  const size = typeof value['size'] === 'number' ? shareOf(value['size']) : SMALLEST
  const { split, parts, kind: named, symbol, link: colour, query } = value
  if (Array.isArray(parts)) {
    const read = parts.map((part) => readPart(part, deep - 1)).filter((part) => part !== undefined)
    return read.length === 0 ? undefined : { split: split === 'rows' ? 'rows' : 'columns', parts: read, size }
  }
  const kind = KINDS.find((each) => each === named)
  if (kind === undefined || typeof symbol !== 'string' || (symbol !== LINKED && !isTicker(symbol))) return undefined
  return panel({
    kind,
    symbol,
    link: LINKS.find((each) => each === colour) ?? 'blue',
    query: typeof query === 'string' && query.length <= LONGEST ? query : '',
    size
  })
}

const shareOf = (size: number) => Math.min(LARGEST, Math.max(SMALLEST, Math.round(size))) || SMALLEST

/** A panel without contradictions: some kinds follow the page, and without a link there is no symbol to follow. */
export function panel(wanted: PanelSpec): PanelSpec {
  if (isOfPageOnly(wanted.kind)) return { ...wanted, symbol: LINKED, link: 'blue' }
  return wanted.link === 'none' && wanted.symbol === LINKED ? { ...wanted, link: 'blue' } : wanted
}

/** Symbol, moment and expirations that a panel shows, and its own settings. `page`: what the page shows. */
export function placeOfPanel({ symbol, link, query }: PanelSpec, green: string, page: Place): Place {
  const own = readPlace(`#/overview/${symbol === LINKED ? 'SPY' : encodeURIComponent(symbol)}?${query}`)
  if (link === 'none') return { ...own, dealers: page.dealers }
  const leader = link === 'blue' ? page : readPlace(green)
  return {
    ...own,
    symbol: symbol === LINKED ? leader.symbol : own.symbol,
    at: leader.at,
    expirations: leader.expirations,
    dealers: page.dealers
  }
}
