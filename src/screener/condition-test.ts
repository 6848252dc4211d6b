import { mustBe } from './screen-problem.ts'
import type { Leaf, Operator } from './screen-request.ts'
import type { FieldType, ScreenerField } from './screener-field.ts'

export type FigureTest = (held: number) => boolean

/** How a condition compares values: their type, and the function that encodes them as numbers. */
export type Comparable = Pick<ScreenerField, 'type' | 'encode'>

/**
 * Turns a condition into a test of stored figures. A missing figure (NaN) fails every comparison, even `neq`. Throws a
 * `ScreenProblem` if the value of the condition has the wrong type.
 */
export function testOf({ operator, value, place }: Leaf, { type, encode }: Comparable): FigureTest {
  const single = (json: unknown, where: string) => {
    if (!isOfType(json, type)) throw mustBe(where, `a ${type}`)
    return encode(json)
  }
  const at = `${place}.value`
  if (isOrdering(operator) && type !== 'number')
    throw mustBe(`${place}.operator`, `eq, neq, in or a null test for a ${type}`)
  switch (operator) {
    case 'is_null':
      return (x) => Number.isNaN(x)
    case 'is_not_null':
      return (x) => !Number.isNaN(x)
    case 'between': {
      if (!Array.isArray(value) || value.length !== 2) throw mustBe(at, 'an array [low, high]')
      const [low, high] = value.map((each, k) => single(each, `${at}[${k}]`))
      if (low > high) throw mustBe(at, '[low, high] with low at most high')
      return (x) => x >= low && x <= high
    }
    case 'in': {
      if (!Array.isArray(value) || value.length === 0) throw mustBe(at, 'an array with at least one value')
      const wanted = new Set(value.map((each, k) => single(each, `${at}[${k}]`)))
      wanted.delete(Number.NaN)
      return (x) => wanted.has(x)
    }
  }
  const bound = single(value, at)
  switch (operator) {
    case 'eq':
      return (x) => x === bound
    case 'neq':
      return (x) => !Number.isNaN(x) && x !== bound
    case 'gt':
      return (x) => x > bound
    case 'gte':
      return (x) => x >= bound
    case 'lt':
      return (x) => x < bound
    case 'lte':
      return (x) => x <= bound
  }
}

/**
 * Like `testOf`, for figures that are not rounded yet. A figure close to a limit is rounded as in responses before it
 * is compared. Elsewhere rounding cannot change the result.
 */
export function roundedTestOf(leaf: Leaf, field: ScreenerField): FigureTest {
  const test = testOf(leaf, field)
  if (field.type !== 'number') return test
  const { round, reach } = field
  const bounds = (Array.isArray(leaf.value) ? leaf.value : [leaf.value]).filter((each) => typeof each === 'number')
  if (bounds.length === 0) return test
  if (bounds.length > 2) return (x) => test(round(x))
  const [low, high = low] = bounds as readonly number[]
  const [nearLow, nearHigh] = [reach(low), reach(high)]
  return (x) => test(Math.abs(x - low) <= nearLow || Math.abs(x - high) <= nearHigh ? round(x) : x)
}

const orderings: ReadonlySet<Operator> = new Set(['gt', 'gte', 'lt', 'lte', 'between'])
const isOrdering = (operator: Operator) => orderings.has(operator)

function isOfType(json: unknown, type: FieldType): json is number | string | boolean {
  return type === 'number' ? typeof json === 'number' && Number.isFinite(json) : typeof json === type
}
