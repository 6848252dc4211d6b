/**
 * How many series of a tape had been named by each of its rows: later ones were not known then. Rows may be added to the
 * tape, and none changes.
 */
export class NamedSeries {
  /** By series the first row by which it had been named. */
  readonly #named: number[] = []
  #read = 0

  /** The number of series named by the first `rows` rows, of which `instrument` has at least as many. */
  by(rows: number, instrument: Int32Array): number {
    for (; this.#read < rows; this.#read++) {
      // A series is numbered when it first prints; where that print was lost, one with a higher number tells of it.
      while (this.#named.length <= instrument[this.#read]) this.#named.push(this.#read)
    }
    let [low, high] = [0, this.#named.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#named[middle] < rows) low = middle + 1
      else high = middle
    }
    return low
  }
}
