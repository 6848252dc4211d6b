const NONE = Number.NaN
const FIRST_CAPACITY = 64

/**
 * A growing set of safe integers in one typed array. A `Set` would allocate an object for each number; with the millions
 * of a busy session the thread would then spend more time on garbage collection than on prints.
 *
 * Source: open addressing with linear probing, at most half full; Knuth, The Art of Computer Programming 3, 6.4.
 */
export class NumberSet {
  #slots = new Float64Array(FIRST_CAPACITY).fill(NONE)
  /** 32 minus the number of bits in a slot index. */
  #shift = Math.clz32(FIRST_CAPACITY) + 1
  #size = 0

  has(value: number): boolean {
    return this.#slots[this.#slotOf(value)] === value
  }

  add(value: number): void {
    const slot = this.#slotOf(value)
    if (this.#slots[slot] === value) return
    this.#slots[slot] = value
    if (2 * ++this.#size > this.#slots.length) this.#grow()
  }

  /** Slot that holds a number, or the free slot where the number belongs. */
  #slotOf(value: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    // Multiplying by the golden ratio spreads consecutive numbers over the slots. Both 32-bit halves of a large number
    // are used.
    let slot = Math.imul((value / 2 ** 32) ^ value, 0x9e3779b1) >>> this.#shift
    while (!Number.isNaN(slots[slot]) && slots[slot] !== value) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const before = this.#slots
    this.#slots = new Float64Array(2 * before.length).fill(NONE)
    this.#shift--
    for (const value of before) if (!Number.isNaN(value)) this.#slots[this.#slotOf(value)] = value
  }
}
