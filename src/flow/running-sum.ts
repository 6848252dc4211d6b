/** A sum that survives restarts: it continues where the previous sum ended. */
export class RunningSum {
  total: number
  #before = 0

  constructor(total = 0) {
    this.total = total
  }

  /**
   * Accepts the newest `sum`, of which `inside` came in the newest bar, and returns the increase since the previous
   * call. `isAnother` tells that the sums have started anew.
   */
  next(sum: number, inside: number, isAnother: boolean): number {
    if (isAnother) this.#before = this.total - (sum - inside)
    const added = this.#before + sum - this.total
    this.total += added
    return added
  }
}
