/**
 * Keywords of a schema that describe its role in the stream. Metrics, selectors and the time of a value follow from
 * these keywords, never from field names. They stay in the OpenAPI document, which allows keywords beginning with x-.
 * This is a type alias, because options of a TypeBox schema cannot be an interface.
 */
export type Annotations = {
  readonly 'x-row-key'?: string
  /** For an array: its order is a ranking, so that a position has a meaning. */
  readonly 'x-ranked'?: boolean
  /** For an array without a row key: the fields that together name the row at a position; empty if none do. */
  readonly 'x-row-name'?: readonly string[]
  /** For a top-level time of a response: the moment that the response describes. */
  readonly 'x-moment'?: boolean
  /** For a top-level price of a response: the spot that strikes are measured from. */
  readonly 'x-spot'?: boolean
}

/** Marks an array whose rows are identified by a field: Type.Array(row, rowKey('strike')). */
export const rowKey = (field: string): Annotations => ({ 'x-row-key': field })

/** Marks an array without a row key: Type.Array(row, rowName('expiry', 'strike', 'type')). */
export const rowName = (...fields: readonly string[]): Annotations => ({ 'x-row-name': fields })

/** Marks an array whose rows have neither key nor name, only a position. */
export const rowsByPosition: Annotations = { 'x-row-name': [] }

/** Marks an array in the order of a ranking: Type.Array(row, { ...rowKey('strike'), ...ranked }). */
export const ranked: Annotations = { 'x-ranked': true }

/** Marks the moment that a response describes: Timestamp('the moment of the quote', moment). */
export const moment: Annotations = { 'x-moment': true }

/** Marks the spot of a response: Price('last price', spot). */
export const spot: Annotations = { 'x-spot': true }
