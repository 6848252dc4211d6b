let share = 1

/** Share of the usual limits on what this thread keeps to use it again, such as tables and returned buffers. */
export function keptShare(): number {
  return share
}

/**
 * Lets this thread keep only an eighth of what a thread of a service keeps. A job passes over sessions once, so it has
 * hardly any use for the tables and buffers of earlier ones.
 */
export function keepLittle(): void {
  share = 1 / 8
}
