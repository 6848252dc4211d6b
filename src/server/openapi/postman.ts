// The part of an OpenAPI document that a collection is made of.
interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema?: { readonly default?: unknown; readonly examples?: readonly unknown[] }
}
interface Content {
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>
}
interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly object[]
  readonly 'x-alias-of'?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>
}
interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const USUAL_ADDRESS = 'http://127.0.0.1:8080'

/**
 * A collection for Postman and the programs that read its files: a folder for each tag, a request for each operation, with
 * its example as a saved answer. Form: Postman Collection Format 2.1.0.
 */
export function postmanText(document: object): string {
  const { info, servers, tags, paths } = document as Document
  const [{ url = '' } = {}] = servers
  const listed = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation['x-alias-of'] === undefined)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
  )
  const folders = tags.map(({ name, description }) => ({
    name,
    ...(description !== undefined && { description }),
    item: listed.filter(({ operation }) => operation.tags[0] === name).map(requestOf)
  }))
  return JSON.stringify({
    info: { name: `${info.title} ${info.version}`, description: info.description, schema: SCHEMA },
    auth: {
      type: 'apikey',
      apikey: [textOf('key', 'X-Api-Key'), textOf('value', '{{apiKey}}'), textOf('in', 'header')]
    },
    variable: [
      { ...textOf('baseUrl', USUAL_ADDRESS + url.replace(/\/$/, '')), description: 'address of the service' },
      { ...textOf('apiKey', ''), description: 'a key of the service' }
    ],
    item: folders.filter(({ item }) => item.length > 0)
  })
}

const textOf = (key: string, value: string) => ({ key, value, type: 'string' })

interface Listed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

function requestOf({ method, path, operation }: Listed) {
  const { summary, description, security, requestBody } = operation
  const body = requestBody?.content['application/json']
  const request = {
    method,
    header: body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }],
    url: urlOf(path, operation.parameters ?? []),
    ...(description !== undefined && { description }),
    ...(security?.length === 0 && { auth: { type: 'noauth' } }),
    ...(body !== undefined && { body: jsonBody(exampleOf(body)?.value) })
  }
  return { name: summary, request, response: savedAnswers(operation, request) }
}

/** Segments in braces are variables of the request; parameters that may be left out are there, but off. */
function urlOf(path: string, parameters: readonly Parameter[]) {
  const segments = path.slice(1).split('/')
  const named = segments.map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'))
  const query = parameters
    .filter((one) => one.in === 'query')
    .map(({ required, ...one }) => ({
      ...described(one),
      disabled: required !== true
    }))
  const asked = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`)
  const variable = parameters.filter((one) => one.in === 'path').map(described)
  return {
    raw: `{{baseUrl}}/${named.join('/')}${asked.length > 0 ? `?${asked.join('&')}` : ''}`,
    host: ['{{baseUrl}}'],
    path: named,
    ...(query.length > 0 && { query }),
    ...(variable.length > 0 && { variable })
  }
}

function described({ name, description, example, schema = {} }: Parameter) {
  const value = example ?? schema.default ?? schema.examples?.[0] ?? ''
  return { key: name, value: String(value), ...(description !== undefined && { description }) }
}

function jsonBody(value: unknown) {
  return { mode: 'raw', raw: JSON.stringify(value ?? {}, null, 2), options: { raw: { language: 'json' } } }
}

function exampleOf({
  example,
  examples = {}
}: Content): { readonly summary?: string; readonly value: unknown } | undefined {
  return Object.values(examples)[0] ?? (example === undefined ? undefined : { value: example })
}

function savedAnswers({ responses }: Operation, originalRequest: object) {
  return Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content).flatMap(([type, media]) => {
      const example = exampleOf(media)
      if (example === undefined) return []
      const isJson = type === 'application/json'
      return [
        {
          name: example.summary ?? status,
          originalRequest,
          code: Number(status),
          status: status === '201' ? 'Created' : 'OK',
          _postman_previewlanguage: isJson ? 'json' : 'text',
          header: [{ key: 'Content-Type', value: type }],
          body: isJson ? JSON.stringify(example.value, null, 2) : String(example.value)
        }
      ]
    })
  )
}
