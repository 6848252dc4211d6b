/** Position of a written object, in bytes from the end of the buffer. */
export type TablePosition = { readonly place: number }

/** Field of a table: an integer of 1, 2 or 8 bytes, a reference, or undefined for its default. */
export type Slot = { readonly bytes: 1 | 2 | 8; readonly value: number } | TablePosition | undefined

const OFFSET_BYTES = 4

/**
 * Writes a FlatBuffer from its end to its beginning: objects come before the objects that refer to them, so every
 * reference points forward as the format requires. Numbers are aligned to their size. Source: FlatBuffers internals,
 * flatbuffers.dev/internals; references are unsigned, except that of a table to its vtable.
 */
export class FlatBuffer {
  #bytes = new Uint8Array(1024)
  #used = 0

  /** UTF-8 text with a trailing zero that its length does not count. */
  text(text: string): TablePosition {
    const encoded = new TextEncoder().encode(text)
    this.#align(OFFSET_BYTES, encoded.length + 1)
    this.#number(1, 0)
    this.#take(encoded.length)
    this.#bytes.set(encoded, this.#bytes.length - this.#used)
    this.#number(4, encoded.length)
    return { place: this.#used }
  }

  /** Vector of references. */
  references(places: readonly TablePosition[]): TablePosition {
    this.#align(OFFSET_BYTES, OFFSET_BYTES * places.length)
    for (const place of places.toReversed()) this.#reference(place)
    this.#number(4, places.length)
    return { place: this.#used }
  }

  /** Vector of structs of two 8-byte numbers. */
  pairs(pairs: readonly (readonly [number, number])[]): TablePosition {
    this.#align(OFFSET_BYTES, 16 * pairs.length)
    this.#align(8, 16 * pairs.length)
    for (const [first, second] of pairs.toReversed()) {
      this.#number(8, second)
      this.#number(8, first)
    }
    this.#number(4, pairs.length)
    return { place: this.#used }
  }

  /** Table with fields in schema order, preceded by its vtable. */
  table(slots: readonly Slot[]): TablePosition {
    const begun = this.#used
    const places = slots.map((slot) => {
      if (slot === undefined) return 0
      if ('place' in slot) this.#reference(slot)
      else this.#aligned(slot.bytes, slot.value)
      return this.#used
    })
    this.#aligned(4, 0)
    const at = this.#used
    for (const place of places.toReversed()) this.#number(2, place === 0 ? 0 : at - place)
    this.#number(2, at - begun)
    this.#number(2, 2 * (slots.length + 2))
    this.#view.setInt32(this.#bytes.length - at, this.#used - at, true)
    return { place: at }
  }

  /** Finished buffer, which begins with a reference to the root. */
  finish(root: TablePosition): Uint8Array {
    this.#align(8, OFFSET_BYTES)
    this.#reference(root)
    return this.#bytes.slice(this.#bytes.length - this.#used)
  }

  #reference({ place }: TablePosition): void {
    this.#align(OFFSET_BYTES, 0)
    this.#number(4, this.#used - place + OFFSET_BYTES)
  }

  #aligned(bytes: 1 | 2 | 4 | 8, value: number): void {
    this.#align(bytes, 0)
    this.#number(bytes, value)
  }

  /** Pads so that a number of this size is aligned after `more` further bytes. */
  #align(size: number, more: number): void {
    this.#take(-(this.#used + more) & (size - 1))
  }

  #number(bytes: 1 | 2 | 4 | 8, value: number): void {
    this.#take(bytes)
    const at = this.#bytes.length - this.#used
    if (bytes === 8) this.#view.setBigInt64(at, BigInt(value), true)
    else if (bytes === 4) this.#view.setUint32(at, value, true)
    else if (bytes === 2) this.#view.setUint16(at, value, true)
    else this.#view.setUint8(at, value)
  }

  /** Reserves zero bytes in front of what was written last. */
  #take(bytes: number): void {
    while (this.#used + bytes > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length)
      larger.set(this.#bytes, this.#bytes.length)
      this.#bytes = larger
    }
    this.#used += bytes
  }

  get #view(): DataView {
    return new DataView(this.#bytes.buffer)
  }
}
