import { apiError } from './error.ts'
import { editsBetween } from './nearest.ts'
import { type Parameters, printable } from './params.ts'

export interface QueryNames {
  readonly known: ReadonlySet<string>
  /** Known parameter names, each with a copy in lower case that has only letters and digits. */
  readonly letters: readonly (readonly [letters: string, name: string])[]
  /** Names of something else that are similar to a known one. */
  readonly unlike: ReadonlySet<string>
}

const KEY_PARAMETER = 'apiKey'
/**
 * Number of typing errors allowed in a name, by its length: two in names of five or more letters, one in three or four
 * letters, none in shorter names.
 */
const slipsAllowed = [0, 0, 0, 1, 1, 2] as const

export function queryNames(parameters: Parameters): QueryNames {
  const declared = Object.entries(parameters).flatMap(([name, { in: place, otherName }]) =>
    place === 'query' ? [name, ...(otherName === undefined ? [] : [otherName])] : []
  )
  const names = [...declared, KEY_PARAMETER]
  const unlike = new Set(Object.values(parameters).flatMap((parameter) => parameter.unlike ?? []))
  return { known: new Set(names), letters: names.map((name) => [lettersOf(name), name]), unlike }
}

const nothing: readonly string[] = []

/**
 * Returns the unknown parameter names in a query; the service ignores them. Throws if an unknown name is similar to a
 * known one: the caller probably mistyped the known name, and would misread a response that ignores it.
 */
export function ignoredNames(
  query: Readonly<Record<string, unknown>>,
  { known, letters, unlike }: QueryNames
): readonly string[] {
  let ignored = nothing
  for (const name in query) {
    if (known.has(name)) continue
    const meant = unlike.has(name) ? undefined : meantName(lettersOf(name), letters)
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

function meantName(written: string, letters: QueryNames['letters']): string | undefined {
  let [found, least]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
  for (const [declared, name] of letters) {
    const allowed = slipsAllowed[Math.min(declared.length, written.length, slipsAllowed.length - 1)]
    if (written === '' || Math.abs(declared.length - written.length) > allowed) continue
    const slips = editsBetween(written, declared)
    if (slips <= allowed && slips < least) [found, least] = [name, slips]
  }
  return found
}

/**
 * Reduces a name to its letters and digits, in lower case, for comparison: min_oi, min-oi and minOi all become minoi.
 */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}
