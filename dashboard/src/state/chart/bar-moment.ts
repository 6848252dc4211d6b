import { momentOf, newYork } from '../day/time.ts'

/** The close of a usual session in New York. */
const CLOSE = '16:00:00'

/**
 * The moment of a bar in New York, yyyy-MM-ddTHH:mm:ss, that lies before a moment in milliseconds: the end of the bar, no
 * later than the close, or else its beginning. Undefined if that is not before either.
 */
export function barMoment(start: number, length: number, before: number): string | undefined {
  const end = newYork(start + length)
  const close = `${newYork(start).slice(0, 10)}T${CLOSE}`
  return [end < close ? end : close, newYork(start)].find((each) => momentOf(each) < before)
}
