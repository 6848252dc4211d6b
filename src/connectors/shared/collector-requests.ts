import type { MemberRequest, News } from '../../shelf/messages.ts'
import type { Shelf } from '../../shelf/shelf.ts'
import { SourceError } from '../port/source-error.ts'

type Answered = Extract<News, { readonly kind: 'answered' }>

/** Milliseconds after which a request that was not answered is repeated: a message may be lost. */
const TOLD_AGAIN = 500
/** Milliseconds without a word of a collector after which none is there. Each speaks once a second. */
const SILENT_FOR = 5000

/** Requests to the collector, and what it tells. Callers that ask for one thing share the answer. */
export class CollectorRequests {
  readonly #shelf: Shelf
  readonly #asked = new Map<string, Promise<Answered>>()
  readonly #settling = new Map<string, (told: Answered) => void>()
  #heardAt = performance.now()

  /** `onNews` receives what is told besides answers. */
  constructor(shelf: Shelf, onNews: (told: Exclude<News, Answered>) => void = () => {}) {
    this.#shelf = shelf
    shelf.listen('news', (text) => {
      this.#heardAt = performance.now()
      const told: News = JSON.parse(text)
      if (told.kind === 'answered') this.#settling.get(told.key)?.(told)
      else onNews(told)
    })
  }

  /** Whether no collector has said anything for a while. */
  get isSilent(): boolean {
    return performance.now() - this.#heardAt > SILENT_FOR
  }

  /** Repeats a request until it is answered. Rejects if no collector is there, or after `limit` milliseconds. */
  of(key: string, request: MemberRequest, limit: number): Promise<Answered> {
    const known = this.#asked.get(key)
    if (known !== undefined) return known
    const asked = this.#ask(key, request, limit).finally(() => {
      this.#asked.delete(key)
      this.#settling.delete(key)
    })
    this.#asked.set(key, asked)
    return asked
  }

  async #ask(key: string, request: MemberRequest, limit: number): Promise<Answered> {
    const answer = new Promise<Answered>((resolve) => this.#settling.set(key, resolve))
    const text = JSON.stringify(request)
    const until = performance.now() + limit
    for (;;) {
      try {
        await this.#shelf.tell('requests', text)
      } catch {
        throw new SourceError('unavailable', 'the collectors cannot be reached')
      }
      const answered = await Promise.race([answer, pause(Math.min(TOLD_AGAIN, until - performance.now()))])
      if (answered !== undefined) return answered
      if (this.isSilent) throw new SourceError('unavailable', 'no collector answers')
      if (performance.now() >= until) throw new SourceError('timeout', 'the collector did not answer in time')
    }
  }
}

const pause = (milliseconds: number) =>
  new Promise<undefined>((resolve) => void setTimeout(() => resolve(undefined), Math.max(1, milliseconds)))
