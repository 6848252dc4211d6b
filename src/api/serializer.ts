import { IsOptional, type TSchema } from 'typebox'
import { easternDateTime } from '../market/eastern.ts'
import type { SchemaNode } from './schema-node.ts'

/** The clock that times are printed on: UTC with Z, or New York wall-clock without a zone. */
export type Zone = 'utc' | 'et'

/** Writes one value as JSON text. */
export type Serializer = (value: unknown) => string

/**
 * A serialiser for answers of a declared shape. It rounds every number by its declared quantity, half away from zero,
 * and writes null for whatever is undefined, NaN or infinite: rounding happens here and nowhere earlier. Fields declared
 * as moments are printed on the clock of `zone`; dates stay as they are.
 */
export function serializerOf(schema: TSchema, zone: Zone = 'utc'): Serializer {
  return compile(schema as SchemaNode, zone)
}

function compile(node: SchemaNode, zone: Zone): Serializer {
  if (node.anyOf) return compileUnion(node.anyOf, zone)
  if (node.type === 'object' && node.properties) return compileObject(node, zone)
  if (node.type === 'array' && node.items) return compileArray(node.items, zone)
  if (zone === 'et' && node.type === 'string' && node.format === 'date-time') return easternTime
  if (node.type === 'integer') return compileNumber((x) => roundTo(x, 0))
  if (node.type === 'number') return compileNumber(roundingOf(node))
  return (value) => (value === undefined ? 'null' : JSON.stringify(value))
}

function compileUnion(members: readonly SchemaNode[], zone: Zone): Serializer {
  const shapes = members
    .filter((member) => member.type !== 'null')
    .map((node) => ({ node, write: compile(node, zone) }))
  if (shapes.length === 1) {
    const [{ write }] = shapes
    return (value) => (value === undefined || value === null ? 'null' : write(value))
  }
  return (value) => {
    if (value === undefined || value === null) return 'null'
    const shape = shapes.find(({ node }) => looksLike(value, node))
    if (shape === undefined) throw new Error('an answer has none of the shapes it declares')
    return shape.write(value)
  }
}

/** Of yyyy-MM-dd: what is longer is a moment. */
const DATE_LENGTH = 10

function looksLike(value: unknown, node: SchemaNode): boolean {
  if (Array.isArray(value)) return node.type === 'array'
  if (typeof value === 'number') return node.type === 'number' || node.type === 'integer'
  if (typeof value === 'string' && node.format === 'date') return value.length === DATE_LENGTH
  if (typeof value !== 'object') return node.type === typeof value
  return node.type === 'object' && (node.required ?? []).every((key) => key in (value as object))
}

function compileObject({ properties = {} }: SchemaNode, zone: Zone): Serializer {
  const fields = Object.entries(properties).map(([key, node]) => ({
    key,
    optional: IsOptional(node as TSchema),
    first: `${JSON.stringify(key)}:`,
    label: `,${JSON.stringify(key)}:`,
    write: compile(node, zone)
  }))
  return (value) => {
    const record = value as Readonly<Record<string, unknown>>
    let text = ''
    for (const { key, optional, first, label, write } of fields) {
      const field = record[key]
      if (optional && field === undefined) continue
      text += (text === '' ? first : label) + write(field)
    }
    return `{${text}}`
  }
}

function compileArray(items: SchemaNode, zone: Zone): Serializer {
  const write = compile(items, zone)
  return (value) => {
    let text = ''
    for (const item of value as readonly unknown[]) text += (text === '' ? '' : ',') + write(item)
    return `[${text}]`
  }
}

function easternTime(value: unknown): string {
  const instant = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(instant) ? 'null' : JSON.stringify(easternDateTime(instant))
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

/** The powers of ten that a double holds exactly: looking one up is ten times as fast as raising to it. */
const powers = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)

/**
 * Rounds to a number of decimals, half away from zero. What is half is judged by the shortest decimal that reads as the
 * number: 1.005 is, though the double behind it lies below. Never a negative zero.
 */
export function roundTo(x: number, decimals: number): number {
  const size = Math.abs(x)
  const scale = powers[decimals] ?? 10 ** decimals
  const scaled = size * scale
  const whole = Math.floor(scaled)
  // The product may be off by a unit in its last place, so near a half the digits decide. Powers of ten are exact to 22.
  const clear = Math.abs(scaled - whole - 0.5) > scaled * 2 ** -51
  const rounded =
    clear && scaled < 2 ** 52 && decimals >= 0 && decimals <= 22
      ? Math.round(scaled) / scale
      : roundDigits(size, decimals)
  return x < 0 ? 0 - rounded : rounded
}

/** Rounds to a number of significant digits, half away from zero. */
export function roundToSignificant(x: number, digits: number): number {
  if (x === 0) return 0
  const size = Math.abs(x)
  const logarithm = Math.log10(size)
  // The logarithm of a number just below a power of ten rounds up to that of the power.
  const exponent =
    Number.isInteger(logarithm) && size < Number(`1e${logarithm}`) ? logarithm - 1 : Math.floor(logarithm)
  return roundTo(x, digits - 1 - exponent)
}

/** The slow road: through the decimal digits, exact for every finite size. */
function roundDigits(size: number, decimals: number): number {
  const [mantissa, exponent] = size.toExponential().split('e')
  const digits = mantissa.replace('.', '')
  const kept = Number(exponent) + decimals + 1
  if (kept >= digits.length) return size
  if (kept < 0) return 0
  const up = digits[kept] >= '5' ? 1n : 0n
  const rounded = Number(`${BigInt(digits.slice(0, kept)) + up}e${-decimals}`)
  return rounded === Infinity ? size : rounded // the last figures a double can hold have nothing above them
}
