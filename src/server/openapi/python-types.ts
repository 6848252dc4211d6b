import { schemaPath } from '../../api/schema-names.ts'
import type { SchemaNode } from '../../api/schema-node.ts'
import { isIdentifier, pythonText } from './python-names.ts'

/** A schema as it stands in the document, where every object with fields is a reference to a named one. */
export interface Schema extends SchemaNode {
  readonly oneOf?: readonly Schema[]
  readonly additionalProperties?: Schema | boolean
}

/** The classes of the Python client: a TypedDict for each named object, then an alias for each other named schema. */
export function pythonTypes(schemas: Readonly<Record<string, Schema>>): string {
  const named = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))
  const objects = named.filter(([, { properties }]) => properties !== undefined)
  const others = named.filter(([, { properties }]) => properties === undefined)
  return [
    ...objects.map(([name, schema]) => object(name, schema)),
    ...others.map(([name, schema]) => `${name} = ${pythonType(schema)}\n`)
  ].join('\n\n')
}

/** Annotation of a value. */
export function pythonType(node: Schema): string {
  if (node.$ref !== undefined) return node.$ref.slice(schemaPath.length)
  const forms = node.anyOf ?? node.oneOf
  if (forms !== undefined) return union(forms.map(pythonType))
  if (node.enum !== undefined) return `Literal[${node.enum.map(literal).join(', ')}]`
  if (node.const !== undefined) return `Literal[${literal(node.const)}]`
  switch (node.type) {
    case 'object':
      return dictionary(node)
    case 'array':
      return `List[${pythonType(node.items ?? {})}]`
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'string':
      return 'str'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    default:
      return 'Any'
  }
}

function union(members: readonly string[]): string {
  const all = [...new Set(members)]
  return all.length === 1 ? all[0] : `Union[${all.join(', ')}]`
}

function dictionary({ patternProperties = {}, additionalProperties }: Schema): string {
  const [values = additionalProperties] = Object.values(patternProperties)
  return `Dict[str, ${typeof values === 'object' ? pythonType(values) : 'Any'}]`
}

function object(name: string, { properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(([field, node]) => {
    const type = pythonType(node)
    return { field, node, type: required.includes(field) ? type : `NotRequired[${type}]` }
  })
  return fields.every(({ field }) => isIdentifier(field)) ? classOf(name, fields) : callOf(name, fields)
}

interface Field {
  readonly field: string
  readonly node: SchemaNode
  readonly type: string
}

function classOf(name: string, fields: readonly Field[]): string {
  const lines = fields.map(({ field, node, type }) => `    ${field}: ${type}\n${meaning(node)}`)
  return `class ${name}(TypedDict):\n${lines.join('') || '    pass\n'}`
}

/** The other way to write a TypedDict, for names that are no identifiers. */
function callOf(name: string, fields: readonly Field[]): string {
  const lines = fields.map(({ field, type }) => `        ${pythonText(field)}: ${pythonText(type)},\n`)
  return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n)\n`
}

/** Unit and description of a field, as the text under it that editors show. */
function meaning(node: SchemaNode): string {
  const [form = node] = (node.anyOf ?? []).filter(({ type }) => type !== 'null')
  const texts = [form['x-unit'], node.description ?? form.description].filter(
    (text) => text !== undefined && text !== ''
  )
  if (texts.length === 0) return ''
  return `    """${texts.join('; ').replaceAll('\\', '\\\\').replaceAll('"', "'")}"""\n`
}

function literal(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}
