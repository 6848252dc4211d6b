let share = 1

/** Share of the usual limits on what this thread keeps to use it again, such as tables and returned buffers. */
export function keptShare(): number {
  return share
}

/** Sets the share before anything is kept. */
export function keepShare(of: number): void {
  share = of
}

/**
 * Lets this thread keep only an eighth of what a thread of a service keeps. A job passes over sessions once, so it has
 * hardly any use for the tables and buffers of earlier ones.
 */
export function keepLittle(): void {
  keepShare(1 / 8)
}
