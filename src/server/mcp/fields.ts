import type { SchemaNode } from '../../api/schema-node.ts'

export interface AnswerField {
  readonly path: string
  readonly description: string
  readonly unit: string | undefined
}

/** All figures and texts of an answer by their path; [] stands for the rows of a list. */
export function fieldsOf(node: SchemaNode, path = ''): readonly AnswerField[] {
  const { properties, patternProperties, items, anyOf = [], allOf = [], description = '', 'x-unit': unit } = node
  const inside = Object.entries({ ...properties, ...patternProperties })
  const named = inside.flatMap(([name, inner]) => fieldsOf(inner, joined(path, name)))
  const rows = items === undefined ? [] : fieldsOf(items, `${path}[]`)
  const others = [...anyOf, ...allOf].flatMap((each) => fieldsOf(each, path))
  if (named.length + rows.length > 0) return [...named, ...rows]
  const [same] = others.filter((each) => each.path === path)
  if (others.some((each) => each.path !== path)) return others.filter((each) => each.path !== path)
  const words = description === '' ? (same?.description ?? '') : description
  return path === '' ? [] : [{ path, description: words, unit: unit ?? same?.unit }]
}

/** A name of a field, or any name where the names are data. */
const joined = (path: string, name: string) => {
  const plain = name.startsWith('^') ? '*' : name
  return path === '' ? plain : `${path}.${plain}`
}
