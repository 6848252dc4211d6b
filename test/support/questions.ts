import type { Endpoint } from '../../src/api/endpoint.ts'
import type { IsoDate } from '../../src/market/units.ts'

/** Whom the routes are asked about. */
export interface Subjects {
  /** A symbol with options, and one of which the level alone may be known. */
  readonly symbol: string
  readonly level: string
  /** Values for the parameters that a route requires. */
  readonly required: Readonly<Record<string, string>>
}

/** Values for parameters that a route can do without, by their names. */
export type Further = Readonly<Record<string, readonly string[]>>

/** A question to a route, without the moment. */
export interface Question {
  readonly endpoint: Endpoint
  readonly symbol: string
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly address: string
}

/** Queries for a route: one plain, with a level if it takes a symbol, and one for each further value. */
export function questionsOf(endpoint: Endpoint, subjects: Subjects, further: Further): readonly Question[] {
  const { symbol, level, required: values } = subjects
  const { path, params } = endpoint
  const required = Object.entries(params).flatMap(([name, { in: place, required }]): [string, string][] =>
    place === 'query' && required ? [[name, values[name]]] : []
  )
  const ask = (symbol: string, query: Question['query']): Question => {
    const words = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))
    return { endpoint, symbol, query, address: `${path.replace(/\{\w+\}/, symbol)}?${words}` }
  }
  const varied = Object.keys(params).flatMap((name) =>
    (further[name] ?? [])
      .filter((value) => params[name].read(value, { today: '2026-07-29' as IsoDate }) !== undefined)
      .map((value) => ask(symbol, [...required.filter(([other]) => other !== name), [name, value]]))
  )
  return [ask(symbol, required), ...(path.includes('{') ? [ask(level, required)] : []), ...varied]
}
