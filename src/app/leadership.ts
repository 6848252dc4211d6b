import type { Sharing } from '../accounts/sharing.ts'

export interface LeadershipOptions {
  readonly sharing: Pick<Sharing, 'hold' | 'release'>
  readonly role: string
  /** Milliseconds between two looks. The role is taken by another a few looks after its holder died. */
  readonly every?: number
  /** Called once if another service holds the role, after this one held it. */
  readonly onLost: () => void
}

const EVERY = 400

/**
 * A role that one of several services holds at a time. While the database does not answer, who held it goes on: only another
 * holder ends that.
 */
export class Leadership {
  readonly #options: LeadershipOptions
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #fence: number | undefined
  #isLost = false
  #gained!: () => void
  /** Resolves once this service holds the role. */
  readonly gained = new Promise<void>((resolve) => (this.#gained = resolve))

  constructor(options: LeadershipOptions) {
    this.#options = options
  }

  /** How often the holder had changed when this service took the role; undefined before. */
  get fence(): number | undefined {
    return this.#fence
  }

  start(): void {
    const look = () => {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined
      })
    }
    this.#timer = setInterval(look, this.#options.every ?? EVERY)
    look()
  }

  /** Gives the role back, so that another service takes it at its next look. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
    const { sharing, role } = this.#options
    if (this.#fence !== undefined && !this.#isLost) await sharing.release(role).catch(() => {})
  }

  async #look(): Promise<void> {
    const { sharing, role, onLost } = this.#options
    let held: number | undefined
    try {
      held = await sharing.hold(role)
    } catch {
      return
    }
    if (this.#fence === undefined) {
      if (held === undefined) return
      this.#fence = held
      this.#gained()
    } else if (held !== this.#fence && !this.#isLost) {
      this.#isLost = true
      clearInterval(this.#timer)
      onLost()
    }
  }
}
