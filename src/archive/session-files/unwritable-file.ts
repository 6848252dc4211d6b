/** A file did not take what was written into it, which is the cause. */
export class UnwritableFile extends Error {
  constructor(cause: unknown) {
    super('a session file cannot be written', { cause })
  }
}

/** What a write into a file resolves to; rejects with an UnwritableFile where it fails. */
export function written<Result>(write: Promise<Result>): Promise<Result> {
  return write.catch((cause) => {
    throw new UnwritableFile(cause)
  })
}
