import { apiError } from './error.ts'
import { type Parameters, printable } from './params.ts'

/** The names that a query may have for an operation. */
export interface QueryNames {
  readonly known: ReadonlySet<string>
  /** The same names as letters alone, with the name that each stands for. */
  readonly letters: readonly (readonly [letters: string, name: string])[]
}

/** The query parameter that a key may come in, on every path. */
const KEY_PARAMETER = 'apiKey'
/** Two letters are a slip in a name of five letters, one in a name of three; shorter names are told from each other. */
const slipsAllowed = [0, 0, 0, 1, 1, 2] as const

/** The names of the query parameters that are declared, other names that they have included. */
export function queryNames(parameters: Parameters): QueryNames {
  const declared = Object.entries(parameters).flatMap(([name, { in: place, otherName }]) =>
    place === 'query' ? [name, ...(otherName === undefined ? [] : [otherName])] : []
  )
  const names = [...declared, KEY_PARAMETER]
  return { known: new Set(names), letters: names.map((name) => [lettersOf(name), name]) }
}

const nothing: readonly string[] = []

/**
 * The names in a query that nobody reads. One that is nearly a declared name is refused instead: its author means
 * that parameter, and would take the answer without it for the one that was asked for.
 */
export function ignoredNames(
  query: Readonly<Record<string, unknown>>,
  { known, letters }: QueryNames
): readonly string[] {
  let ignored = nothing
  for (const name in query) {
    if (known.has(name)) continue
    const meant = nearest(lettersOf(name), letters)
    if (meant !== undefined) {
      const found = printable(name)
      throw apiError('unknown_parameter', `there is no parameter '${found}' here: did you mean ${meant}?`, {
        parameter: found
      })
    }
    ignored = [...ignored, name]
  }
  return ignored
}

function nearest(written: string, letters: QueryNames['letters']): string | undefined {
  let [found, least]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
  for (const [declared, name] of letters) {
    const allowed = slipsAllowed[Math.min(declared.length, written.length, slipsAllowed.length - 1)]
    if (written === '' || Math.abs(declared.length - written.length) > allowed) continue
    const slips = slipsBetween(written, declared)
    if (slips <= allowed && slips < least) [found, least] = [name, slips]
  }
  return found
}

/** A name without case, underscores, brackets and whatever else is no letter or digit: min-oi and minOi read min_oi. */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/**
 * Letters that were left out, put in, changed or swapped with their neighbour to get from one text to the other: the
 * optimal string alignment distance (Boytsov, Indexing methods for approximate dictionary searching, 2011, section 2.2).
 */
function slipsBetween(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, k) => k)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let k = 1; k <= b.length; k++) {
      const changed = above[k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1)
      row[k] = Math.min(changed, above[k] + 1, row[k - 1] + 1)
      const swapped = i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1]
      if (swapped) row[k] = Math.min(row[k], before[k - 2] + 1)
    }
    before = above
    above = row
  }
  return above[b.length]
}
