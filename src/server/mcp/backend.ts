/** A request to the HTTP API. */
export interface Question {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with its query, as the live host or the replay host takes it. */
  readonly url: string
  readonly body: unknown
  /** Whether it is about a past moment, which the replay host answers. */
  readonly past: boolean
}

export interface ApiReply {
  readonly status: number
  /** Value of a header; its name is in small letters. */
  readonly header: (name: string) => string | undefined
  readonly text: string
}

/**
 * Asks the HTTP API with the key of the caller, in process or over the network, so that key, plan and quota are checked
 * where they always are. Rejects with a sentence for the caller if nothing answers.
 */
export type Backend = (question: Question) => Promise<ApiReply>

/** A refusal whose message is for the caller of a tool. */
export class ToolRefusal extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.name = 'ToolRefusal'
    this.code = code
  }
}
