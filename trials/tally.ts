/** Outcome of a run: the count of each outcome, and the first fault of each kind in full. */
export class Tally {
  readonly outcomes = new Map<string, number>()
  /** Faults by kind: how often each occurred, and the first in full. */
  readonly counterexamples = new Map<string, { count: number; readonly text: string }>()
  readonly #seed: number

  constructor(seed: number) {
    this.#seed = seed
  }

  get faults(): number {
    return [...this.counterexamples.values()].reduce((sum, { count }) => sum + count, 0)
  }

  met(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1)
  }

  /** `k` is the number of the request, which makes it again with the seed. */
  fault(what: string, sent: string, received: string, k: number): void {
    const known = this.counterexamples.get(what)
    if (known !== undefined) {
      known.count++
      return
    }
    const again = k >= 0 ? `npm run fuzz -- --seed ${this.#seed} --first ${k} --requests 1` : 'a sound request'
    this.counterexamples.set(what, { count: 1, text: `${what}\n${again}\n> ${sent}\n< ${received}` })
  }

  report(): string {
    const outcomes = [...this.outcomes].sort(([a], [b]) => (a < b ? -1 : 1))
    const lines = outcomes.map(([outcome, count]) => `  ${outcome.padEnd(44)} ${String(count).padStart(8)}`)
    const faults = [...this.counterexamples.values()].map(({ count, text }) => `FAULT, ${count} times: ${text}`)
    return [...lines, ...faults].join('\n')
  }
}
