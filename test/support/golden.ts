import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect } from 'vitest'

// GAMMAWALL_REWRITE_GOLDEN=1 writes what is compared anew: do that when a figure is meant to change, and say in the
// changelog which one and why.
const rewrite = process.env.GAMMAWALL_REWRITE_GOLDEN === '1'

/** Compares a text with the file of test/golden it was last reviewed as. */
export function expectAsReviewed(name: string, text: string): void {
  const file = resolve(import.meta.dirname, '../golden', `${name}.json`)
  if (rewrite) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  expect(existsSync(file)).toBe(true)
  expect(text).toBe(readFileSync(file, 'utf8'))
}

/** Floats at nine digits: what differs beyond them is the arithmetic of a processor. */
const cut = (_: string, value: unknown) =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(9)) : value

/** An answer with one line for each object of a list, so that a diff shows the row that moved. */
export function printed(text: string): string {
  return JSON.stringify(JSON.parse(text, cut), undefined, 1)
    .replaceAll(
      /\{\n\s+("(?:strike|expiration|expiry)"[^{}]*)\}/g,
      (_, fields: string) => `{ ${fields.trim().replaceAll(/\n\s+/g, ' ')} }`
    )
    .concat('\n')
}

interface Tally {
  readonly numbers: number[]
  readonly words: Set<string>
  absent: number
}

/** An answer in one line a field: how often it is a number, a word or absent, and mean and deviation of the numbers. */
export function digest(text: string): string {
  const tallies = new Map<string, Tally>()
  const loadInputs = (name: string, value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) loadInputs(`${name}[]`, item)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) loadInputs(name === '' ? key : `${name}.${key}`, inner)
    } else {
      if (!tallies.has(name)) tallies.set(name, { numbers: [], words: new Set(), absent: 0 })
      const tally = tallies.get(name)!
      if (value === null) tally.absent++
      else if (typeof value === 'number') tally.numbers.push(value)
      else tally.words.add(String(value))
    }
  }
  loadInputs('', JSON.parse(text))
  const lines = Array.from(tallies, ([name, { numbers, words, absent }]) => {
    const mean = numbers.reduce((sum, x) => sum + x, 0) / numbers.length
    const deviation = Math.sqrt(numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / numbers.length)
    const short = (x: number) => Number(x.toPrecision(7))
    const spread = numbers.length === 0 ? {} : { mean: short(mean), deviation: short(deviation) }
    return ` ${JSON.stringify(name)}: ${JSON.stringify({ numbers: numbers.length, words: words.size, absent, ...spread })}`
  })
  return `{\n${lines.join(',\n')}\n}\n`
}
