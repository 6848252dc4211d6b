import { type Backend, ToolRefusal } from './backend.ts'

/** Bounds the questions of each caller that are under way at the same time. */
export class CallLimit {
  readonly #most: number
  readonly #underWay = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** The way to the API for one caller. A question beyond the limit is refused at once. */
  limited(caller: string, ask: Backend): Backend {
    return async (question) => {
      const count = this.#underWay.get(caller) ?? 0
      if (count >= this.#most) {
        const message = `${this.#most} calls of this key are under way: call again when one of them has ended`
        throw new ToolRefusal('too_many_calls', message)
      }
      this.#underWay.set(caller, count + 1)
      try {
        return await ask(question)
      } finally {
        const left = this.#underWay.get(caller)! - 1
        if (left === 0) this.#underWay.delete(caller)
        else this.#underWay.set(caller, left)
      }
    }
  }
}
