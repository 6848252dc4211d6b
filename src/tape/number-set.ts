const NONE = Number.NaN
/** Small, because a tape has a set for each exchange, and many exchanges have few prints. */
const FIRST_CAPACITY = 8
/** Numbers of one group: as many as a column of 32-bit numbers has bits. */
const GROUP = 32

/**
 * A growing set of safe integers in typed arrays. Numbers are kept in groups of 32 neighbours, one bit each, because the
 * numbers of a feed mostly follow each other. A `Set` would allocate an object for each number; with the millions of a
 * busy session the thread would then spend more time on garbage collection than on prints.
 *
 * Source: open addressing with linear probing, at most half full; Knuth, The Art of Computer Programming 3, 6.4.
 */
export class NumberSet {
  #groups = new Float64Array(FIRST_CAPACITY).fill(NONE)
  #bits = new Int32Array(FIRST_CAPACITY)
  /** 32 minus the number of bits in a slot index. */
  #shift = Math.clz32(FIRST_CAPACITY) + 1
  #size = 0

  has(value: number): boolean {
    const group = Math.floor(value / GROUP)
    return (this.#bits[this.#slotOf(group)] & bitOf(value, group)) !== 0
  }

  add(value: number): void {
    const group = Math.floor(value / GROUP)
    const slot = this.#slotOf(group)
    this.#bits[slot] |= bitOf(value, group)
    if (this.#groups[slot] === group) return
    this.#groups[slot] = group
    if (2 * ++this.#size > this.#groups.length) this.#grow()
  }

  /** Bytes of the arrays. */
  get bytes(): number {
    return this.#groups.byteLength + this.#bits.byteLength
  }

  /** Slot that holds a group, or the free slot where the group belongs. */
  #slotOf(group: number): number {
    const groups = this.#groups
    const mask = groups.length - 1
    // Multiplying by the golden ratio spreads consecutive groups over the slots. Both 32-bit halves of a large number
    // are used.
    let slot = Math.imul((group / 2 ** 32) ^ group, 0x9e3779b1) >>> this.#shift
    while (!Number.isNaN(groups[slot]) && groups[slot] !== group) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const [groups, bits] = [this.#groups, this.#bits]
    this.#groups = new Float64Array(2 * groups.length).fill(NONE)
    this.#bits = new Int32Array(2 * groups.length)
    this.#shift--
    for (let at = 0; at < groups.length; at++) {
      if (Number.isNaN(groups[at])) continue
      const slot = this.#slotOf(groups[at])
      this.#groups[slot] = groups[at]
      this.#bits[slot] = bits[at]
    }
  }
}

const bitOf = (value: number, group: number) => 1 << (value - GROUP * group)
