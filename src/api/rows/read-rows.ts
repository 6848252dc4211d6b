import type { ScalarField } from './table-columns.ts'

/** Reads the rows of an answer, without the fixed columns. */
export type ReadRows = (answer: unknown) => unknown[][]

/** Value at a path of a parsed answer; null where something on the way is missing. */
function valueAt(from: unknown, path: readonly string[]): unknown {
  let found = from
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return null
    found = (found as Readonly<Record<string, unknown>>)[name]
  }
  return found ?? null
}

/** A scalar; null for anything else, which an answer of another shape may have in its place. */
function scalarAt(from: unknown, path: readonly string[]): unknown {
  const found = valueAt(from, path)
  return typeof found === 'object' ? null : found
}

const cellsOf = (from: unknown, fields: readonly ScalarField[]) => fields.map(({ path }) => scalarAt(from, path))

function arrayAt(from: unknown, path: readonly string[]): readonly unknown[] {
  const found = valueAt(from, path)
  return Array.isArray(found) ? found : []
}

/** One row for an answer; one for each element if the answer is an array. */
export function readFlat(fields: readonly ScalarField[]): ReadRows {
  return (answer) => (Array.isArray(answer) ? answer : [answer]).map((each) => cellsOf(each, fields))
}

/**
 * One row for each element of an array, with its place, its scalars, those of the elements around it from the outermost,
 * and the scalars `more` of the answer.
 */
export function readElements(
  steps: readonly (readonly string[])[],
  levels: readonly (readonly ScalarField[])[],
  more: readonly ScalarField[]
): ReadRows {
  const innermost = steps.length - 1
  return (answer) => {
    const found: unknown[][] = []
    const last = cellsOf(answer, more)
    const enter = (from: unknown, level: number, outer: readonly unknown[]) => {
      for (const [row, element] of arrayAt(from, steps[level]).entries()) {
        const cells = cellsOf(element, levels[level])
        if (level === innermost) found.push([row, ...cells, ...outer, ...last])
        else enter(element, level + 1, [...outer, ...cells])
      }
    }
    enter(answer, 0, [])
    return found
  }
}

/** One row for each place of arrays that run along one another; the longest says how many there are. */
export function readAlong(names: readonly string[], more: readonly ScalarField[]): ReadRows {
  return (answer) => {
    const arrays = names.map((name) => arrayAt(answer, [name]))
    const last = cellsOf(answer, more)
    const count = Math.max(...arrays.map(({ length }) => length))
    return Array.from({ length: count }, (_, row) => [row, ...arrays.map((array) => array[row] ?? null), ...last])
  }
}
