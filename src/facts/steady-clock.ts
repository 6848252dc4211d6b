/**
 * Milliseconds of a clock that runs on evenly when the wall clock is set. Its zero means nothing, so it is for periods and
 * never for stamps. All threads of a process share it.
 */
export function steadyNow(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return 1000 * seconds + nanoseconds / 1e6
}
