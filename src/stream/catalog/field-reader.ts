import type { SchemaStep } from './field.ts'
import type { RowKey } from './row-key.ts'
import { type Picked, RowIndex, type Rows, type Selector } from './selector.ts'

/** One parsed response body, from which all metrics of a query are read. */
export class AnswerBody {
  readonly root: unknown
  readonly #spot: number | undefined
  readonly #indexes = new Map<Rows, RowIndex>()

  constructor(root: unknown, spot: number | undefined) {
    this.root = root
    this.#spot = spot
  }

  pick(rows: Rows, rowKey: RowKey, selector: Selector): Picked {
    let index = this.#indexes.get(rows)
    if (index === undefined) this.#indexes.set(rows, (index = new RowIndex(rows, rowKey)))
    return index.pick(selector, this.#spot)
  }
}

/**
 * Value of a metric (null if absent). If the metric's selector moves with the market, such as `[atm]`, `key` is the key
 * of the row it picked.
 */
export interface FieldValue {
  readonly value: unknown
  readonly key: number | string | undefined
  /** False if the metric id names a row key that the response does not have. */
  readonly listed: boolean
}

export type StreamFieldReader = (body: AnswerBody) => FieldValue

type JsonObject = Readonly<Record<string, unknown>>

/**
 * Returns a function that reads the value at a path of a response. `selectors` has one entry for each array in which
 * the path picks a row.
 */
export function readerOf(path: readonly SchemaStep[], selectors: readonly Selector[]): StreamFieldReader {
  if (selectors.length === 0) return plainReader(path.map(({ name }) => name))
  let used = 0
  const steps = path.map(({ name, rows }) => ({ name, rows, selector: rows && selectors[used++] }))
  return (body) => {
    let value = body.root
    let key: number | string | undefined
    let listed = true
    for (const { name, rows, selector } of steps) {
      value = isObject(value) ? value[name] : undefined
      if (rows === undefined || selector === undefined) continue
      const picked = Array.isArray(value) ? body.pick(value, rows, selector) : undefined
      if (picked?.row === undefined && selector.kind === 'key') listed = false
      key = picked?.key ?? key
      value = picked?.row
    }
    return { value: value ?? null, key, listed }
  }
}

function plainReader(names: readonly string[]): StreamFieldReader {
  return ({ root }) => {
    let value = root
    for (const name of names) value = isObject(value) ? value[name] : undefined
    return { value: value ?? null, key: undefined, listed: true }
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null
}
