import type { SchemaNode } from '../schema-node.ts'

/** Date is yyyy-MM-dd, timestamp an instant in UTC; numbers include counts. */
export type ColumnType = 'number' | 'boolean' | 'string' | 'date' | 'timestamp'

/** A column of a table that is made of answers. */
export interface AnswerColumn {
  readonly name: string
  readonly type: ColumnType
  readonly nullable: boolean
  readonly unit: string | undefined
  readonly description: string | undefined
  /** All texts that there can be; undefined where the schema lists none. */
  readonly words: readonly string[] | undefined
}

/** A scalar of an object: its column, named by its path, and where its value stands. */
export interface ScalarField {
  readonly column: AnswerColumn
  readonly path: readonly string[]
}

const isNull = ({ type }: SchemaNode) => type === 'null'

/** The shapes that a value may have, without null. */
export function valueShapes({ anyOf, allOf, ...node }: SchemaNode): readonly SchemaNode[] {
  const forms = anyOf ?? allOf
  return forms === undefined ? [node] : forms.filter((form) => !isNull(form)).flatMap(valueShapes)
}

export function mayBeNull(node: SchemaNode): boolean {
  return isNull(node) || (node.anyOf?.some(mayBeNull) ?? false)
}

/**
 * The scalars of an object and of the objects in it, in the order of the schema. Arrays and objects with free names are
 * left out. Where an object has several shapes, those of all shapes; one that a shape lacks may be null.
 */
export function scalarsOf(node: SchemaNode, path: readonly string[] = [], nullable = false): readonly ScalarField[] {
  const shapes = valueShapes(node)
  const absent = nullable || mayBeNull(node)
  const found = new Map<string, { field: ScalarField; shapes: number }>()
  for (const shape of shapes) {
    for (const field of fieldsOf(shape, path, absent)) {
      const { name } = field.column
      const before = found.get(name)
      found.set(name, {
        field: before === undefined ? field : merged(before.field, field),
        shapes: (before?.shapes ?? 0) + 1
      })
    }
  }
  return [...found.values()].map(({ field, shapes: holding }) =>
    holding === shapes.length ? field : { ...field, column: { ...field.column, nullable: true } }
  )
}

function fieldsOf(shape: SchemaNode, path: readonly string[], nullable: boolean): readonly ScalarField[] {
  if (shape.properties !== undefined) {
    return Object.entries(shape.properties).flatMap(([name, child]) => {
      if (child['x-echo'] === true) return []
      const isOptional = !(shape.required ?? []).includes(name)
      return scalarsOf(child, [...path, name], nullable || isOptional)
    })
  }
  const type = scalarType(shape)
  if (type === undefined || path.length === 0) return []
  return [{ column: columnOf(path.join('.'), type, shape, nullable), path }]
}

/** The column of a figure that stands alone, by the schema of its quantity. It may be missing. */
export function figureColumn(name: string, quantity: SchemaNode): AnswerColumn {
  const type = scalarType(quantity)
  if (type === undefined) throw new Error(`${name} is no scalar`)
  return columnOf(name, type, quantity, true)
}

/** The column of the scalars of an array; undefined where they are none. */
export function valueColumn(items: SchemaNode): AnswerColumn | undefined {
  const [field] = scalarsOf(items, ['value'])
  return field?.path.length === 1 ? field.column : undefined
}

function columnOf(name: string, type: ColumnType, shape: SchemaNode, nullable: boolean): AnswerColumn {
  const listed = shape.enum ?? (shape.const === undefined ? undefined : [shape.const])
  const words = type === 'string' ? (listed as readonly string[] | undefined) : undefined
  return { name, type, nullable, unit: shape['x-unit'], description: shape.description, words }
}

function scalarType({ type, format }: SchemaNode): ColumnType | undefined {
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type !== 'string') return undefined
  return format === 'date' ? 'date' : format === 'date-time' ? 'timestamp' : 'string'
}

/** One field for two shapes: what they differ in becomes a text. */
function merged(one: ScalarField, other: ScalarField): ScalarField {
  const [a, b] = [one.column, other.column]
  const isSameType = a.type === b.type
  const words = a.words && b.words && [...new Set([...a.words, ...b.words])]
  const column: AnswerColumn = {
    name: a.name,
    type: isSameType ? a.type : 'string',
    nullable: a.nullable || b.nullable,
    unit: a.unit === b.unit ? a.unit : undefined,
    description: a.description ?? b.description,
    words: isSameType ? words : undefined
  }
  return { column, path: one.path }
}
