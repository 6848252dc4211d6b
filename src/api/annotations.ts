/**
 * What a schema says of its place in the stream, as keywords beside those of JSON Schema. The metrics, their selectors
 * and the moment of a value follow from them, so that nothing is concluded from the names of fields. They stay in the
 * OpenAPI document, which allows keywords that begin with x-. A type, as the options of a TypeBox schema take no interface.
 */
export type Annotations = {
  /** Of an array of objects: the field whose value tells its rows apart. */
  readonly 'x-row-key'?: string
  /** Of an array: its rows stand in the order of a ranking, so that a position means something. */
  readonly 'x-ranked'?: boolean
  /** Of an array without a row key: the fields that together name the row at a position. Empty where none do. */
  readonly 'x-row-name'?: readonly string[]
  /** Of a time at the top of an answer: the moment that the answer describes. */
  readonly 'x-moment'?: boolean
  /** Of a price at the top of an answer: the spot from which strikes are counted. */
  readonly 'x-spot'?: boolean
}

/** For an array whose rows are told apart by a field: Type.Array(row, rowKey('strike')). */
export const rowKey = (field: string): Annotations => ({ 'x-row-key': field })

/** For an array without a row key: Type.Array(row, rowName('expiry', 'strike', 'type')). */
export const rowName = (...fields: readonly string[]): Annotations => ({ 'x-row-name': fields })

/** For an array whose rows have neither key nor name: their position is all that tells them apart. */
export const rowsByPosition: Annotations = { 'x-row-name': [] }

/** For an array in the order of a ranking: Type.Array(row, { ...rowKey('strike'), ...ranked }). */
export const ranked: Annotations = { 'x-ranked': true }

/** For the moment an answer describes: Instant('the moment of the quote', moment). */
export const moment: Annotations = { 'x-moment': true }

/** For the spot of an answer: Price('last price', spot). */
export const spot: Annotations = { 'x-spot': true }
