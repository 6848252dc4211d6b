/** Steps to stop a service. Each part adds its own when it starts; they run in reverse order. */
export class Shutdown {
  readonly #steps: (() => unknown)[] = []
  #begun = false

  /** Whether shutdown has begun; errors reported after that are no failures. */
  get begun(): boolean {
    return this.#begun
  }

  add(step: () => unknown): void {
    this.#steps.push(step)
  }

  async run(): Promise<void> {
    this.#begun = true
    for (const step of this.#steps.splice(0).reverse()) await step()
  }
}
