import { apiError } from '../../api/error.ts'

/** Responses of one user, and of the whole service, that may be under way at once. */
const OF_USER = 1
const OF_SERVICE = 4
const RETRY_AFTER = 5

/**
 * Bounds what bulk takes from other requests: how many responses are under way, and how many of their answers are
 * computed at once.
 */
export class BulkSlots {
  readonly #most: number
  readonly #users = new Map<string, number>()
  readonly #waiting: (() => void)[] = []
  #responses = 0
  #computing = 0

  /** `workers` is the number of threads that compute answers; bulk has at most half of them, and at least one. */
  constructor(workers: number) {
    this.#most = Math.max(1, Math.floor(workers / 2))
  }

  /** Answers that are computed at once. */
  get most(): number {
    return this.#most
  }

  /** Begins a response. Throws bulk_busy if there are too many; else returns how to end it. */
  begin(userId: string): () => void {
    const own = this.#users.get(userId) ?? 0
    if (own >= OF_USER || this.#responses >= OF_SERVICE) {
      const whose = own >= OF_USER ? 'another response of this user is' : `${OF_SERVICE} other responses are`
      throw apiError('bulk_busy', `${whose} under way; try again in ${RETRY_AFTER} s`, {}, RETRY_AFTER)
    }
    this.#users.set(userId, own + 1)
    this.#responses++
    let ended = false
    return () => {
      if (ended) return
      ended = true
      this.#responses--
      this.#users.delete(userId)
    }
  }

  /** Runs work once fewer than the most are running. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#computing >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#computing++
    try {
      return await work()
    } finally {
      this.#computing--
      this.#waiting.shift()?.()
    }
  }
}
