export class ScreenProblem extends Error {
  override readonly name = 'ScreenProblem'
  readonly kind: 'request' | 'formula'
  /** Path of the error in the request, such as `filters.conditions[1].value`. */
  readonly place: string | undefined
  /** Position of the error in a formula or in text, counted from 0. */
  readonly position: number | undefined

  constructor(kind: 'request' | 'formula', message: string, { place, position }: Where = {}) {
    // No stack trace is taken: it would cost more than the rest of the screen, and a client's mistake is not a failure
    // of the program.
    const depth = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = depth
    this.kind = kind
    this.place = place
    this.position = position
  }
}

interface Where {
  readonly place?: string | undefined
  readonly position?: number | undefined
}

export function mustBe(place: string, what: string): ScreenProblem {
  return new ScreenProblem('request', `${place} must be ${what}`, { place })
}

/** A client's text in the form in which messages quote it: shortened, and without control characters. */
export function quotedInput(text: string): string {
  const plain = text.replace(/\p{C}/gu, '?')
  return plain.length <= 40 ? plain : `${plain.slice(0, 39)}…`
}
