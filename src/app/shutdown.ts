/** The steps that stop a service. Each part adds a step when it starts. The steps run in reverse order. */
export class Shutdown {
  readonly #steps: (() => unknown)[] = []
  #begun = false

  /** Whether the service has begun to stop. Errors after that moment are not failures. */
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
