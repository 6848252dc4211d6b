import { deprecationText } from './deprecation.ts'
import type { Endpoint } from './endpoint.ts'
import { answerName, type SchemaNames, schemaNames, schemaPath } from './schema-names.ts'
import type { SchemaNode } from './schema-node.ts'

const opening = `// What every endpoint takes and answers, made from the declarations; a test keeps it up to date, and makes it anew with:
// npx vitest run test/client/endpoint-types.test.ts -u

/** Every endpoint by its path. Units and meanings stand at the fields; null is a figure that does not exist. */
export interface Endpoints {
`

/**
 * Generates TypeScript source that declares the requests and responses of all endpoints: one interface with an entry
 * per path, and a type for each named schema. The generated source imports neither our code nor the schema library. Units become comments.
 */
export function wireTypes(endpoints: readonly Endpoint[]): string {
  const names = schemaNames()
  const entries = [...endpoints].sort((a, b) => (a.path < b.path ? -1 : 1)).map((each) => entry(each, names))
  const types = Object.entries(names.schemas).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${opening}${entries.join('')}}\n${types.map(namedType).join('')}`
}

function namedType([name, node]: readonly [string, SchemaNode]): string {
  // An alias and not an interface: rows can then be passed on as records of unknown fields.
  return `\n${comment(meaning(node), '')}export type ${name} = ${typeOf(node, '')}\n`
}

function entry(endpoint: Endpoint, names: SchemaNames): string {
  const { path, summary, deprecated, replay, params, body, response } = endpoint
  const name = answerName(endpoint)
  const fields = Object.entries(params).map(([name, { schema, required }]) => {
    const optional = !required && { optional: true }
    return field(name, schema as SchemaNode, '      ', { ...optional, orUndefined: !required })
  })
  const sent = body === undefined ? 'undefined' : typeOf(names.add(`${name}Request`, body.schema), '    ')
  return [
    comment(deprecated === undefined ? summary : `@deprecated ${deprecationText(deprecated)} ${summary}`, '  '),
    `  '${path}': {\n`,
    `    readonly method: '${body === undefined ? 'GET' : 'POST'}'\n`,
    `    readonly replay: ${replay}\n`,
    `    readonly params: ${fields.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${fields.join('')}    }`}\n`,
    `    readonly body: ${sent}\n`,
    `    readonly answer: ${typeOf(names.add(name, response), '    ')}\n`,
    '  }\n'
  ].join('')
}

function typeOf(node: SchemaNode, indent: string): string {
  if (node.$ref !== undefined) return node.$ref.slice(schemaPath.length)
  if (node.anyOf !== undefined) return node.anyOf.map((member) => typeOf(member, indent)).join(' | ')
  if (node.allOf !== undefined) return node.allOf.map((part) => partType(part, indent)).join(' & ')
  if (node.enum !== undefined) return node.enum.map(literal).join(' | ')
  if (node.const !== undefined) return literal(node.const)
  switch (node.type) {
    case 'object':
      return objectType(node, indent)
    case 'array':
      return `readonly ${partType(node.items ?? {}, indent)}[]`
    case 'integer':
      return 'number'
    case 'number':
    case 'string':
    case 'boolean':
    case 'null':
      return node.type
    default:
      throw new Error(`a schema of type ${node.type} has no counterpart in TypeScript here`)
  }
}

/** TypeScript type of an array element or union member. Puts it in parentheses if it is an array or a union itself. */
function partType(node: SchemaNode, indent: string): string {
  const type = typeOf(node, indent)
  return node.type === 'array' || (node.anyOf ?? node.enum ?? []).length > 1 ? `(${type})` : type
}

function objectType({ properties, patternProperties, required = [] }: SchemaNode, indent: string): string {
  const [values] = Object.values(patternProperties ?? {})
  if (values !== undefined) return `Readonly<Record<string, ${typeOf(values, indent)}>>`
  const deeper = `${indent}  `
  const fields = Object.entries(properties ?? {}).map(([name, node]) => {
    return field(name, node, deeper, { optional: !required.includes(name) })
  })
  return fields.length === 0 ? 'object' : `{\n${fields.join('')}${indent}}`
}

function field(
  name: string,
  node: SchemaNode,
  indent: string,
  { optional = false, orUndefined = false }: { readonly optional?: boolean; readonly orUndefined?: boolean }
): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
  const type = `${typeOf(node, indent)}${orUndefined ? ' | undefined' : ''}`
  return `${comment(meaning(node), indent)}${indent}readonly ${key}${optional ? '?' : ''}: ${type}\n`
}

/**
 * Comment for a field: its unit and description. For a nullable field they come from the schema of its non-null values.
 */
function meaning(node: SchemaNode): string {
  const [form = node] = node.anyOf?.filter(({ type }) => type !== 'null') ?? []
  const inner = { unit: form['x-unit'], description: node.description ?? form.description }
  return [inner.unit, inner.description].filter((text) => text !== undefined && text !== '').join('; ')
}

function comment(text: string, indent: string): string {
  return text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : JSON.stringify(value)
}
