/** Why a sign-in by the identity provider did not work, as the page says it, by the code that its address carries. */
export const troubles = {
  down: 'The identity provider does not answer: try again in a minute.',
  refused: 'The identity provider refused the sign-in; the log of the service says why.',
  cancelled: 'The sign-in was cancelled at the identity provider.',
  untrusted: 'The identity provider sent something that cannot be trusted; the log of the service says why.',
  over: 'This sign-in took too long, or was begun in another window: begin it again.',
  busy: 'Too many sign-ins from this address: try again in a minute.',
  outsider: 'Your account at the identity provider may not sign in here: ask whoever runs the service.',
  unverified: 'The identity provider has not verified your email address.',
  stranger: 'No user is linked with your account: sign in with a key once and link it on the page Account.',
  taken: 'A user with your address exists: sign in with a key once and link your account on the page Account.',
  linked: 'Your account at the identity provider is linked with another user.'
} as const

export type TroubleCode = keyof typeof troubles

/** A sign-in that did not work. The message is for the log, without secrets. */
export class SignInTrouble extends Error {
  override readonly name = 'SignInTrouble'
  readonly code: TroubleCode

  constructor(code: TroubleCode, message: string = troubles[code], options: ErrorOptions = {}) {
    super(message, options)
    this.code = code
  }
}
