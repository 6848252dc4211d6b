import { FilesError } from '../import-files.ts'
import { COMMA, cutLine, type Dialect, emptyLine, POINT, plainDialect, textOf } from './csv-line.ts'

/** Bytes that may separate fields: comma, semicolon, tab and bar. */
const delimiters = [COMMA, 59, 9, 124]
/** Number of lines from which the dialect is recognized. */
const SAMPLE = 500

/** Words by which the operator names the decimal sign. */
export const decimalSigns = ['point', 'comma'] as const

/**
 * Recognizes how a table writes its fields and numbers, from its first lines. The delimiter is the one that cuts most
 * lines into the same number of fields. Throws a `FilesError` if the numbers have two meanings.
 */
export function dialectOf(bytes: Buffer, said: string | undefined): Dialect {
  const stated = statedDelimiter(bytes)
  const delimiter = stated ?? delimiterIn(bytes)
  return { delimiter, decimal: decimalIn(bytes, delimiter, said) }
}

/** Delimiter that a first line such as `sep=;` states, as spreadsheets write it. */
function statedDelimiter(bytes: Buffer): number | undefined {
  const [, sign] = /^"?sep=([,;\t|])"?\r?\n/.exec(bytes.toString('latin1', 0, 10)) ?? []
  return sign?.charCodeAt(0)
}

function delimiterIn(bytes: Buffer): number {
  let best = { delimiter: COMMA, lines: 0, fields: 1 }
  for (const delimiter of delimiters) {
    const counts = new Map<number, number>()
    for (const { count } of linesIn(bytes, { ...plainDialect, delimiter })) {
      if (count > 1) counts.set(count, (counts.get(count) ?? 0) + 1)
    }
    for (const [fields, lines] of counts) {
      if (lines > best.lines || (lines === best.lines && fields > best.fields)) best = { delimiter, lines, fields }
    }
  }
  return best.delimiter
}

function* linesIn(bytes: Buffer, dialect: Dialect) {
  const line = emptyLine(dialect)
  for (let at = 0, k = 0; at < bytes.length && k < SAMPLE; k++) {
    at = cutLine(line, bytes, at)
    yield line
  }
}

/** Matches numbers whose comma, or whose point, can only be the decimal sign. */
const [withComma, withPoint] = [signPattern('\\.', ','), signPattern(',', '\\.')]
/** Matches numbers whose comma may be the decimal sign or may group digits. */
const unclear = /^[+-]?[1-9]\d{0,2},\d{3}$/

function signPattern(group: string, sign: string): RegExp {
  const forms = [
    `\\d{1,3}(?:${group}\\d{3})+${sign}\\d+`,
    `\\d*${sign}(?:\\d{1,2}|\\d{4,})`,
    `(?:0|\\d{4,})?${sign}\\d+`,
    `\\d{1,3}(?:${group}\\d{3}){2,}`
  ]
  return new RegExp(`^[+-]?(?:${forms.join('|')})$`)
}

function decimalIn(bytes: Buffer, delimiter: number, said: string | undefined): number {
  if (said !== undefined) {
    if (!decimalSigns.some((sign) => sign === said)) {
      throw new FilesError(`--decimal must be one of ${decimalSigns.join(', ')}`)
    }
    return said === 'comma' ? COMMA : POINT
  }
  let comma: string | undefined
  let point: string | undefined
  let either: string | undefined
  for (const line of linesIn(bytes, { ...plainDialect, delimiter })) {
    for (let field = 0; field < line.count; field++) {
      const text = textOf(line, field)
      if (withComma.test(text)) comma ??= text
      else if (withPoint.test(text)) point ??= text
      else if (unclear.test(text)) either ??= text
    }
  }
  if (comma !== undefined) {
    if (point === undefined) return COMMA
    if (delimiter === COMMA) return POINT
    throw new FilesError(
      `the decimal sign of ${comma} is a comma, that of ${point} a point: say --decimal comma or point`
    )
  }
  if (either === undefined || point !== undefined || delimiter === COMMA) return POINT
  const number = either.replace(',', '')
  throw new FilesError(`${either} may be ${number} or ${either.replace(',', '.')}: say --decimal point or comma`)
}
