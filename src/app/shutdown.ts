/** What has to be done to end a service: each part adds its own step when it begins, and they are taken in reverse. */
export class Shutdown {
  readonly #steps: (() => unknown)[] = []
  #begun = false

  /** Whether the end has begun: what a part that is being stopped reports then is no failure. */
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
