import type { Endpoint } from '../../api/endpoint.ts'

const JSON_TYPE = 'application/json'

/** What a range of media types says of a type: how much it is wanted, and how closely it names it. */
interface Rating {
  readonly quality: number
  readonly closeness: number
}

/**
 * The media type of the form that a caller wants of an answer; undefined for JSON, which is also what is sent where
 * nothing that is offered would do. Of types wanted alike the one that is named closest counts, then JSON.
 * Source: RFC 9110, section 12.5.1.
 */
export function wantedForm({ forms }: Pick<Endpoint, 'forms'>, accepted: string | undefined): string | undefined {
  if (forms.length === 0 || accepted === undefined) return undefined
  const ranges = accepted.toLowerCase().split(',').map(rangeOf)
  let [wanted, best]: [string, Rating] = [JSON_TYPE, ratingOf(JSON_TYPE, ranges)]
  for (const { type } of forms) {
    const rating = ratingOf(type, ranges)
    if (isAbove(rating, best)) [wanted, best] = [type, rating]
  }
  return wanted === JSON_TYPE ? undefined : wanted
}

function rangeOf(text: string): { readonly range: string; readonly quality: number } {
  const [range, ...parameters] = text.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = weight === undefined ? 1 : Number(weight.slice(2))
  return { range, quality: Number.isFinite(quality) ? quality : 0 }
}

/** The rating by the closest range that holds a type: the type itself, its family, or anything. */
function ratingOf(type: string, ranges: readonly ReturnType<typeof rangeOf>[]): Rating {
  const names = ['*/*', `${type.split('/')[0]}/*`, type]
  let best: Rating = { quality: 0, closeness: -1 }
  for (const { range, quality } of ranges) {
    const closeness = names.indexOf(range)
    if (closeness > best.closeness) best = { quality, closeness }
  }
  return best
}

function isAbove(one: Rating, other: Rating): boolean {
  return (
    one.quality > other.quality || (one.quality === other.quality && one.quality > 0 && one.closeness > other.closeness)
  )
}
