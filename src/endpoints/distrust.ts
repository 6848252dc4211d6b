import type { TSchema } from 'typebox'
import type { Endpoint } from '../api/endpoint.ts'
import { apiError } from '../api/error.ts'
import type { DataDistrust } from '../quality/chain-assessment.ts'
import { distrustReading } from '../wording/quality-readings.ts'

/**
 * Puts an endpoint under the quality floor, if it needs `distrust`: for a chain below it, each `Sentence` of its response
 * says that the data contradict themselves, and a `DataScore` is no better than the quality of the chain. Figures, names
 * and notes stay. The schema of the response decides, so no endpoint does this itself.
 */
export function underQualityFloor(endpoint: Endpoint): Endpoint {
  if (!endpoint.needs.includes('distrust')) return endpoint
  return {
    ...endpoint,
    answer(inputs, params, more) {
      const answer = endpoint.answer(inputs, params, more)
      const { distrust } = inputs
      return distrust === undefined ? answer : (withDistrust(endpoint.response, answer, distrust) as typeof answer)
    }
  }
}

function withDistrust(schema: TSchema, value: unknown, distrust: DataDistrust): unknown {
  if (typeof value === 'string') return isOf(schema, 'x-text', 'sentence') ? distrustReading(distrust) : value
  if (typeof value === 'number') return isOf(schema, 'x-score', 'data') ? Math.min(value, distrust.score) : value
  if (Array.isArray(value)) {
    const { items } = branchesOf(schema).find(({ items }) => items !== undefined) ?? {}
    return items === undefined ? value : value.map((item) => withDistrust(items, item, distrust))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const [declared] = branchesOf(schema).flatMap(({ properties }) => properties?.[name] ?? [])
      return [name, declared === undefined ? inner : withDistrust(declared, inner, distrust)]
    })
  )
}

/** The keywords of a schema that decide here. */
interface Keywords {
  readonly anyOf?: readonly TSchema[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly 'x-text'?: string
  readonly 'x-score'?: string
}

/** A schema, or the alternatives of a union. */
function branchesOf(schema: TSchema): readonly Keywords[] {
  const { anyOf } = schema as Keywords
  return anyOf === undefined ? [schema as Keywords] : anyOf.flatMap(branchesOf)
}

const isOf = (schema: TSchema, keyword: 'x-text' | 'x-score', value: string) =>
  branchesOf(schema).some((branch) => branch[keyword] === value)

/** Refuses an answer that would state how sure figures are whose data contradict themselves. */
export function refuseDistrusted(distrust: DataDistrust | undefined): void {
  if (distrust !== undefined) throw apiError('insufficient_data', distrustReading(distrust))
}
