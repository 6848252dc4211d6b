/** Why a screen cannot be run: what is wrong, and where. */
export class ScreenProblem extends Error {
  override readonly name = 'ScreenProblem'
  readonly kind: 'request' | 'formula'
  /** The place in the request: filters.conditions[1].value. */
  readonly place: string | undefined
  /** Of a formula, the character at which it stops making sense, from 0. */
  readonly position: number | undefined

  constructor(kind: 'request' | 'formula', message: string, { place, position }: Where = {}) {
    // What a client wrote is no failure of the program: its stack would cost more than the rest of the screen.
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

/** A part of the request that is not what it must be. */
export function mustBe(place: string, what: string): ScreenProblem {
  return new ScreenProblem('request', `${place} must be ${what}`, { place })
}

/** A text of the client as messages repeat it: short, and without what moves a cursor. */
export function quotedText(text: string): string {
  const plain = text.replace(/\p{C}/gu, '?')
  return plain.length <= 40 ? plain : `${plain.slice(0, 39)}…`
}
