import type { TSchema } from 'typebox'
import type { SchemaNode } from './schema-node.ts'

/** Named schemas of a document. An object inside another schema is a reference `{ $ref }` to the schema of its name. */
export interface SchemaNames {
  /** Adds a schema under a name, unless it is a single reference to one, and returns a reference to it. */
  readonly add: (name: string, schema: TSchema) => SchemaNode
  readonly schemas: Readonly<Record<string, SchemaNode>>
}

export const schemaPath = '#/components/schemas/'

/**
 * Gives every object with fields a name, so that generated clients have a type for each. The name is the `title` of its
 * schema. An object without a title is named after its place: the name of the schema around it, and its field there,
 * with the rows of an array in the singular. Throws if two different objects have one name: one of them then wants
 * another title.
 */
export function schemaNames(): SchemaNames {
  const schemas: Record<string, SchemaNode> = {}
  const seen = new Map<string, readonly [name: string, node: SchemaNode]>()

  function define(name: string, node: SchemaNode): SchemaNode {
    const key = name.toLowerCase() // generators write a file for each name, and some disks do not know upper case
    const other = seen.get(key)
    if (other === undefined) {
      seen.set(key, [name, node])
      schemas[name] = withNames(node, name)
    } else if (JSON.stringify(other) !== JSON.stringify([name, node])) {
      throw new Error(`two different schemas are named ${name}`)
    }
    return { $ref: schemaPath + name }
  }

  /** Replaces an object by a reference; other schemas stay, with the objects inside them replaced. */
  function named(node: SchemaNode, place: string): SchemaNode {
    const [only, ...more] = node.allOf ?? []
    if (only !== undefined && more.length === 0) return named(only, place)
    const { title, ...rest } = node
    return node.properties === undefined ? withNames(rest, place) : define(title ?? place, rest)
  }

  function withNames(node: SchemaNode, name: string): SchemaNode {
    const { items, properties, patternProperties, anyOf, allOf } = node
    const ofRow = singular(name)
    const shapes = (nodes: readonly SchemaNode[]) => nodes.map((shape) => named(shape, name))
    const fields = (nodes: Readonly<Record<string, SchemaNode>>, nameOf: (field: string) => string) =>
      Object.fromEntries(Object.entries(nodes).map(([field, child]) => [field, named(child, nameOf(field))]))
    return {
      ...node,
      ...(items && { items: named(items, ofRow) }),
      ...(properties && { properties: fields(properties, (field) => name + capitalised(field)) }),
      ...(patternProperties && { patternProperties: fields(patternProperties, () => ofRow) }),
      ...(anyOf && { anyOf: shapes(anyOf) }),
      ...(allOf && { allOf: shapes(allOf) })
    }
  }

  return {
    schemas,
    add: (name, schema) => {
      // Plain JSON, without the hidden fields of TypeBox. The title of a whole answer is the name it is added under.
      const { title, ...node } = JSON.parse(JSON.stringify(schema)) as SchemaNode
      return define(node.properties === undefined ? name : (title ?? name), node)
    }
  }
}

/** Name of the schema of a response: exposure.zero_dte becomes ExposureZeroDte. A final "current" is left out. */
export const answerName = ({ id }: { readonly id: string }) => capitalised(id.replace(/\.current$/, ''))

/** Words of an id or of a field, each with a capital letter. */
export function capitalised(words: string): string {
  return words
    .split(/[._-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/** Name of one row of an array: ExposureGexStrikes becomes ExposureGexStrike, a name without a plural gets the end Row. */
function singular(name: string): string {
  if (/ies$/.test(name)) return name.replace(/ies$/, 'y')
  return /[^s]s$/.test(name) ? name.slice(0, -1) : `${name}Row`
}
