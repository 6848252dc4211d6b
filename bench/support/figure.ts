import { pathToFileURL } from 'node:url'

/** One measured figure, and the bound we hold ourselves to where there is one. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly atMost?: number
  readonly atLeast?: number
}

/** Median milliseconds of a synchronous piece of work, after a warm-up: single runs say little on a shared machine. */
export function medianMilliseconds(work: () => void, { runs = 31, warmUp = 40 } = {}): number {
  const times: number[] = []
  for (let k = -warmUp; k < runs; k++) {
    const startedAt = performance.now()
    work()
    if (k >= 0) times.push(performance.now() - startedAt)
  }
  return median(times)
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

/** Prints the figures of a file that is run by itself. */
export async function report(file: string, run: () => Promise<readonly Figure[]> | readonly Figure[]): Promise<void> {
  if (file !== pathToFileURL(process.argv[1] ?? '').href) return
  for (const { name, value, unit, atMost, atLeast } of await run()) {
    const bound = atMost !== undefined ? `at most ${atMost}` : atLeast !== undefined ? `at least ${atLeast}` : ''
    const met = (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast)
    const verdict = bound === '' ? '' : `  ${bound}: ${met ? 'met' : 'MISSED'}`
    console.log(`${name.padEnd(70)} ${figureText(value).padStart(10)} ${unit}${verdict}`)
  }
}

const figureText = (value: number) => (Math.abs(value) >= 1000 ? value.toFixed(0) : value.toPrecision(3))
