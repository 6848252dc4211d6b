import { IsOptional, type TSchema } from 'typebox'

/** Writes one value as JSON text. */
export type Serializer = (value: unknown) => string

interface SchemaNode {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly SchemaNode[]
  readonly items?: SchemaNode
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[]
  readonly 'x-decimals'?: number
  readonly 'x-significant'?: number
}

/**
 * A serialiser for answers of a declared shape. It rounds every number by its declared quantity, half away from zero,
 * and writes null for whatever is undefined, NaN or infinite: rounding happens here and nowhere earlier.
 */
export function serializerOf(schema: TSchema): Serializer {
  return compile(schema as SchemaNode)
}

function compile(node: SchemaNode): Serializer {
  if (node.anyOf) return compileUnion(node.anyOf)
  if (node.type === 'object' && node.properties) return compileObject(node)
  if (node.type === 'array' && node.items) return compileArray(node.items)
  if (node.type === 'integer') return compileNumber((x) => roundTo(x, 0))
  if (node.type === 'number') return compileNumber(roundingOf(node))
  return (value) => (value === undefined ? 'null' : JSON.stringify(value))
}

function compileUnion(members: readonly SchemaNode[]): Serializer {
  const shapes = members.filter((member) => member.type !== 'null').map((node) => ({ node, write: compile(node) }))
  return (value) => {
    if (value === undefined || value === null) return 'null'
    const shape = shapes.find(({ node }) => shapes.length === 1 || looksLike(value, node))
    if (shape === undefined) throw new Error('an answer has none of the shapes it declares')
    return shape.write(value)
  }
}

function looksLike(value: unknown, node: SchemaNode): boolean {
  if (Array.isArray(value)) return node.type === 'array'
  if (typeof value !== 'object') return node.type === typeof value
  return node.type === 'object' && (node.required ?? []).every((key) => key in (value as object))
}

function compileObject({ properties = {} }: SchemaNode): Serializer {
  const fields = Object.entries(properties).map(([key, node]) => ({
    key,
    optional: IsOptional(node as TSchema),
    label: `${JSON.stringify(key)}:`,
    write: compile(node)
  }))
  return (value) => {
    const record = value as Readonly<Record<string, unknown>>
    let text = ''
    for (const { key, optional, label, write } of fields) {
      const field = record[key]
      if (optional && field === undefined) continue
      text += (text === '' ? '' : ',') + label + write(field)
    }
    return `{${text}}`
  }
}

function compileArray(items: SchemaNode): Serializer {
  const write = compile(items)
  return (value) => {
    let text = ''
    for (const item of value as readonly unknown[]) text += (text === '' ? '' : ',') + write(item)
    return `[${text}]`
  }
}

function compileNumber(round: (x: number) => number): Serializer {
  return (value) => (typeof value === 'number' && Number.isFinite(value) ? `${round(value)}` : 'null')
}

function roundingOf(node: SchemaNode): (x: number) => number {
  const { 'x-decimals': decimals, 'x-significant': significant } = node
  if (decimals !== undefined) return (x) => roundTo(x, decimals)
  if (significant !== undefined) return (x) => roundToSignificant(x, significant)
  return (x) => x
}

/** Rounds to a number of decimals, half away from zero. Never prints a negative zero. */
export function roundTo(x: number, decimals: number): number {
  const scale = 10 ** decimals
  const scaled = Math.abs(x) * scale
  if (scaled >= 2 ** 52) return x
  const rounded = Math.round(scaled) / scale
  return x < 0 ? 0 - rounded : rounded
}

/** Rounds to a number of significant digits, half away from zero. */
export function roundToSignificant(x: number, digits: number): number {
  const size = Math.abs(x)
  if (size === 0) return 0
  // Powers of ten are exact only up to 22: far smaller and larger figures take the slow road through their digits.
  if (size < 1e-12 || size > 1e12) return Number(x.toPrecision(digits))
  return roundTo(x, digits - 1 - Math.floor(Math.log10(size)))
}
