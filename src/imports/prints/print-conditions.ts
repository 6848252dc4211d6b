import type { TapeKind } from '../../market/print.ts'
import {
  combinedConditions,
  type SaleCondition,
  type SaleConditions,
  saleConditions,
  saleConditionWords as words
} from '../../market/sale-conditions.ts'
import { FilesError } from '../import-files.ts'

/** Meanings of sale condition codes, in addition to those already known. */
export type ConditionMap = ReadonlyMap<string, SaleCondition>

/** Parses pairs such as `13=late,209=regular`. Throws a single `FilesError` that lists all mistakes. */
export function parseConditionMap(text: string): ConditionMap {
  const map = new Map<string, SaleCondition>()
  const problems: string[] = []
  for (const pair of text.split(',')) {
    const [, code, name] = /^\s*([^\s=]+)\s*=\s*(\w+)\s*$/.exec(pair) ?? []
    const word = words.find((each) => each === name)
    if (word === undefined) problems.push(pair.trim())
    else map.set(code, word)
  }
  if (problems.length > 0) {
    throw new FilesError(
      `the conditions cannot be used: ${problems.join(', ')}. Give code=meaning; meanings are ${words.join(', ')}`
    )
  }
  return map
}

/**
 * Combined meaning of the sale condition codes in a field. Codes are separated by blanks, commas or bars; letter codes
 * of stocks may also follow each other directly. A field without a code means a regular print. Undefined if a code is
 * unknown.
 */
export function conditionsIn(text: string, kind: TapeKind, map: ConditionMap | undefined): SaleConditions | undefined {
  const find = (code: string) => map?.get(code) ?? saleConditions[kind].get(code)
  const codes = text
    .split(/[\s,;|[\]]+/)
    .filter((code) => code !== '')
    .flatMap((code) => (kind === 'stock' && find(code) === undefined && !/^\d+$/.test(code) ? [...code] : [code]))
  const found: SaleCondition[] = []
  for (const code of codes) {
    const word = find(code)
    if (word === undefined) return undefined
    found.push(word)
  }
  return combinedConditions(found)
}
