import type { SelectorKind } from '../../api/stream-frames.ts'
import { parseIsoDate } from '../../market/units.ts'
import type { RowKey } from './row-key.ts'

/**
 * Picks a row of an array: by its key, or by a place that moves with the market, such as the strike nearest to spot.
 */
export type Selector =
  | { readonly kind: 'key'; readonly key: number | string }
  | { readonly kind: Exclude<SelectorKind, 'key'>; readonly at: number }

/** The picked row. `key` is set only if the selector moves with the market. */
export interface Picked {
  readonly row: Readonly<Record<string, unknown>> | undefined
  readonly key: number | string | undefined
}

export type Rows = readonly Readonly<Record<string, unknown>>[]

const nothing: Picked = { row: undefined, key: undefined }
const moving = /^(atm|front|#)([+-]?\d{1,4})?$/

/** Parses the text between the brackets of a metric id; undefined if the array's rows cannot be picked that way. */
export function readSelector(text: string, { selectors, type }: RowKey): Selector | undefined {
  const [, word, offset] = moving.exec(text) ?? []
  if (word !== undefined) {
    const kind = word === '#' ? 'position' : (word as 'atm' | 'front')
    const at = Number(offset ?? 0)
    const signed = offset === undefined || /^[+-]/.test(offset)
    const written = kind === 'position' ? offset !== undefined && /^\d+$/.test(offset) : signed
    return written && selectors.includes(kind) && (kind === 'atm' || at >= 0) ? { kind, at } : undefined
  }
  if (!selectors.includes('key')) return undefined
  const key = type === 'number' ? numberOf(text) : type === 'date' ? parseIsoDate(text) : text
  return key === undefined ? undefined : { kind: 'key', key }
}

function numberOf(text: string): number | undefined {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) + 0 : undefined
}

/** Canonical spelling. Equal selectors have equal texts. */
export function selectorText(selector: Selector): string {
  if (selector.kind === 'key') return `${selector.key}`
  const { kind, at } = selector
  if (kind === 'position') return `#${at}`
  return at === 0 ? kind : `${kind}${at > 0 ? '+' : ''}${at}`
}

/** Index of an array's rows by key, built once per response for all subscriptions. */
export class RowIndex {
  readonly #rows: Rows
  readonly #rowKey: RowKey
  readonly #byKey = new Map<unknown, Rows[number]>()
  #ascending: readonly (number | string)[] | undefined

  constructor(rows: Rows, rowKey: RowKey) {
    this.#rows = rows
    this.#rowKey = rowKey
    const { field } = rowKey
    if (field === undefined) return
    for (const row of rows) if (!this.#byKey.has(row[field])) this.#byKey.set(row[field], row)
  }

  /** Picks a row. For `atm` it counts from the strike nearest to `spot`; if two are equally near, from the lower. */
  pick(selector: Selector, spot: number | undefined): Picked {
    if (selector.kind === 'key') return { row: this.#byKey.get(selector.key), key: undefined }
    if (selector.kind === 'position') {
      const row = this.#rows[selector.at]
      return row === undefined ? nothing : { row, key: this.#nameOf(row, selector.at) }
    }
    const keys = this.#keys()
    const from = selector.kind === 'front' ? 0 : nearest(keys as readonly number[], spot)
    const key = from === undefined ? undefined : keys[from + selector.at]
    return key === undefined ? nothing : { row: this.#byKey.get(key), key }
  }

  #keys(): readonly (number | string)[] {
    this.#ascending ??= [...this.#byKey.keys()]
      .filter((key): key is number | string => typeof key === 'number' || typeof key === 'string')
      .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    return this.#ascending
  }

  /**
   * Key of a row. If the rows have no key, the values of the row's name fields; if there are none, the position of the
   * row.
   */
  #nameOf(row: Rows[number], position: number): number | string {
    const { field, nameFields } = this.#rowKey
    const key = field === undefined ? undefined : row[field]
    if (typeof key === 'number' || typeof key === 'string') return key
    const words = nameFields.map((name) => row[name])
    return words.filter((word) => typeof word === 'number' || typeof word === 'string').join(' ') || position
  }
}

function nearest(strikes: readonly number[], spot: number | undefined): number | undefined {
  if (strikes.length === 0 || spot === undefined) return undefined
  let best = 0
  for (let k = 1; k < strikes.length; k++) {
    if (Math.abs(strikes[k] - spot) < Math.abs(strikes[best] - spot)) best = k
  }
  return best
}
