import type { TSchema } from 'typebox'
import { capitalised, type SchemaNames } from '../../api/schema-names.ts'
import type { Piece } from './errors.ts'
import { examples } from './examples.ts'

interface WithContent {
  readonly content?: Readonly<Record<string, { readonly schema: TSchema; readonly examples?: object }>>
}
interface Operation {
  readonly operationId: string
  readonly requestBody?: WithContent
  readonly responses: Readonly<Record<string, WithContent>>
}

/**
 * Replaces the schemas of request and response bodies by references to named ones. A body without a title is named after
 * its operation: listUsers answers ListUsersAnswer, postScreener reads ScreenerRequest.
 */
export function withNamedBodies(
  paths: Readonly<Record<string, Piece>>,
  names: SchemaNames
): Readonly<Record<string, Piece>> {
  const bodyNamed = (name: string, part: WithContent): WithContent => {
    const { 'application/json': json, ...others } = part.content ?? {}
    if (json === undefined || !hasFields(json.schema)) return part
    return {
      ...part,
      content: { 'application/json': { ...json, schema: names.add(name, json.schema) }, ...others } as never
    }
  }
  const operationNamed = (operation: Operation): Operation => {
    const { operationId, requestBody, responses } = operation
    const name = capitalised(operationId.replace(/Alias\d*$/, '').replace(/^(get|post)(?=[A-Z])/, ''))
    return {
      ...operation,
      ...(requestBody !== undefined && { requestBody: bodyNamed(`${name}Request`, requestBody) }),
      responses: mapValues(responses, (response) => bodyNamed(`${name}Answer`, response))
    }
  }
  // Every item of a path is an operation here: none has parameters or servers of its own.
  return mapValues(paths, (item) => mapValues(item, (operation) => operationNamed(operation as never)))
}

/**
 * Adds to the response of each operation what it answered on the day of the tests, in the first of its media types. An
 * alias has the example of the operation it is another path of.
 */
export function withExamples(paths: Readonly<Record<string, Piece>>): Readonly<Record<string, Piece>> {
  const shown = (operation: Operation): Operation => {
    const { operationId, responses } = operation
    const example = examples[operationId.replace(/Alias\d*$/, '')]
    const status = Object.keys(responses).find((each) => each.startsWith('2'))
    const [type] = Object.keys((status && responses[status].content) ?? {})
    if (example === undefined || status === undefined || type === undefined) return operation
    const { content = {}, ...rest } = responses[status]
    const asked = { summary: `${example.request} on 2026-07-29 at 11:00 New York time, arrays cut to three rows` }
    const first = { ...content[type], examples: { asked: { ...asked, value: example.answer } } }
    return { ...operation, responses: { ...responses, [status]: { ...rest, content: { ...content, [type]: first } } } }
  }
  return mapValues(paths, (item) => mapValues(item, (operation) => shown(operation as never)))
}

/** Whether a schema has objects inside that are no references yet. */
function hasFields(schema: TSchema): boolean {
  const { properties, anyOf } = schema as { readonly properties?: object; readonly anyOf?: readonly TSchema[] }
  return properties !== undefined || anyOf?.some(hasFields) === true
}

function mapValues<From, To>(from: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, to(value)]))
}
