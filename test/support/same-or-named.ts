import { expect } from 'vitest'
import { SourceError } from '../../src/connectors/port/source-error.ts'
import type { Mutation } from './mutations.ts'

/**
 * Whether a mapper makes of every mutated payload what it makes of the whole one, or a fault that names the field: never
 * another figure. A body that was cut off is always a fault. `expectSame`: where a vendor may leave a field out, its figure
 * may be absent.
 */
export function expectSameOrNamed<Figures>(
  mutations: Iterable<Mutation>,
  whole: Figures,
  map: (text: string) => Figures,
  expectSame: (figures: Figures, label: string) => void = (figures, label) => expect(figures, label).toEqual(whole)
): void {
  let refused = 0
  for (const { label, field, text } of mutations) {
    let figures: Figures
    try {
      figures = map(text)
    } catch (error) {
      expect(error, label).toBeInstanceOf(SourceError)
      expect(['malformed', 'refused'], label).toContain((error as SourceError).fault)
      if (field !== undefined) expect((error as SourceError).message, label).toMatch(named(field))
      refused++
      continue
    }
    expect(field, label).toBeDefined()
    expectSame(figures, label)
  }
  // A mapper that reads nothing would pass otherwise.
  expect(refused).toBeGreaterThan(0)
}

/** Matches the name of a field as a whole word, so that `t` is not found in any word with that letter. */
function named(field: string): RegExp {
  const literal = field.replaceAll(/[^\w-]/g, '\\$&')
  return new RegExp(`(?<![\\w-])${literal}(?![\\w-])`)
}
