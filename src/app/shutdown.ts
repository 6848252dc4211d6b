/** Steps to stop a service. Each part adds its own step when it starts; steps run in reverse order. */
export class Shutdown {
  readonly #steps: (() => unknown)[] = []
  #begun = false

  /** Whether shutdown has begun; errors reported after that are not failures. */
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
