import type { RowKey, Step } from './field.ts'
import { type Picked, RowIndex, type Rows, type Selector } from './selector.ts'

/** One answer, read once, from which any number of fields are taken. */
export class AnswerBody {
  readonly root: unknown
  /** Where strikes are counted from. */
  readonly #spot: number | undefined
  readonly #indexes = new Map<Rows, RowIndex>()

  constructor(root: unknown, spot: number | undefined) {
    this.root = root
    this.#spot = spot
  }

  pick(rows: Rows, { field }: RowKey, selector: Selector): Picked {
    let index = this.#indexes.get(rows)
    if (index === undefined) this.#indexes.set(rows, (index = new RowIndex(rows, field)))
    return index.pick(selector, this.#spot)
  }
}

/** A value as it stands in an answer, null where it does not, and the row that a moving selector picked for it. */
export interface Reading {
  readonly value: unknown
  readonly key: number | string | undefined
  /** False where a row that the path names by its key is not listed. */
  readonly listed: boolean
}

export type Reader = (body: AnswerBody) => Reading

type Names = Readonly<Record<string, unknown>>

/** Compiles a path to a function that reads it. `selectors` stand for the arrays of the path that rows are picked from. */
export function readerOf(path: readonly Step[], selectors: readonly Selector[]): Reader {
  if (selectors.length === 0) return plainReader(path.map(({ name }) => name))
  let used = 0
  const steps = path.map(({ name, rows }) => ({ name, rows, selector: rows && selectors[used++] }))
  return (body) => {
    let value = body.root
    let key: number | string | undefined
    let listed = true
    for (const { name, rows, selector } of steps) {
      value = isNode(value) ? value[name] : undefined
      if (rows === undefined || selector === undefined) continue
      const picked = Array.isArray(value) ? body.pick(value, rows, selector) : undefined
      if (picked?.row === undefined && selector.kind === 'key') listed = false
      key = picked?.key ?? key
      value = picked?.row
    }
    return { value: value ?? null, key, listed }
  }
}

function plainReader(names: readonly string[]): Reader {
  return ({ root }) => {
    let value = root
    for (const name of names) value = isNode(value) ? value[name] : undefined
    return { value: value ?? null, key: undefined, listed: true }
  }
}

function isNode(value: unknown): value is Names {
  return typeof value === 'object' && value !== null
}
