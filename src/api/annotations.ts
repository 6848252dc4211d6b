/**
 * Schema keywords of our own that describe what a field means to the stream. The stream derives metrics, selectors and
 * times from these keywords, never from field names. They stay in the OpenAPI document, which allows keywords beginning
 * with x-. This is a type alias, because options of a TypeBox schema cannot be an interface.
 */
export type Annotations = {
  readonly 'x-row-key'?: string
  /** For an array: its rows are sorted by rank, so a client may ask for the row at a position. */
  readonly 'x-ranked'?: boolean
  /**
   * For an array whose rows no single field identifies: the fields that together identify a row. Empty if a row has
   * only its position.
   */
  readonly 'x-row-name'?: readonly string[]
  /** For a top-level time of a response: this is the time that the response describes. */
  readonly 'x-moment'?: boolean
  /** For a top-level price of a response: this is the spot price from which distances to strikes are measured. */
  readonly 'x-spot'?: boolean
  /** For a top-level array of scalars: it runs along the array of this name, element by element. */
  readonly 'x-parallel'?: string
  /** For a field that only responses to certain parameters have, because it repeats them: tables and the stream leave it out. */
  readonly 'x-echo'?: boolean
}

/** Marks an array whose rows are identified by a field: Type.Array(row, rowKey('strike')). */
export const rowKey = (field: string): Annotations => ({ 'x-row-key': field })

/**
 * Marks an array whose rows are identified by several fields together: Type.Array(row, rowName('expiry', 'strike',
 * 'type')).
 */
export const rowName = (...fields: readonly string[]): Annotations => ({ 'x-row-name': fields })

/** Marks an array whose rows can only be told apart by their position. */
export const rowsByPosition: Annotations = { 'x-row-name': [] }

/** Marks an array that is sorted by rank: Type.Array(row, { ...rowKey('strike'), ...ranked }). */
export const ranked: Annotations = { 'x-ranked': true }

/** Marks the time that a response describes: Timestamp('the moment of the quote', moment). */
export const moment: Annotations = { 'x-moment': true }

/** Marks the spot price of a response: Price('last price', spot). */
export const spot: Annotations = { 'x-spot': true }

/** Marks a field that repeats what a request asked for and is absent if it did not. */
export const echo: Annotations = { 'x-echo': true }

/** Marks arrays that run along another one: Type.Array(Notional(), along('spots')). That one is marked with its own name. */
export const along = (name: string): Annotations => ({ 'x-parallel': name })
