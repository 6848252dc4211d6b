// Names of the Python client, made from those of the OpenAPI document.

/** Words that Python keeps for itself, of those that occur as names of fields or parameters. */
const keywords: ReadonlySet<string> = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' '
  )
)

/** Name of a parameter: that of the wire, with an underscore after it where Python keeps the word for itself. */
export function parameterName(name: string): string {
  const word = name.replaceAll('-', '_')
  return keywords.has(word) ? `${word}_` : word
}

/** Name of a method: createAlert becomes create_alert. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Name of a class: net_gex, zero-dte and gex become NetGex, ZeroDte and Gex. */
export const classCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

export const isIdentifier = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name)

export const pythonText = (text: string): string => JSON.stringify(text)

/** A doc string of one or more lines, without what would end it. */
export function docString(text: string, indent: string): string {
  if (text === '') return ''
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")
  return `${indent}"""${safe}${safe.endsWith('"') ? ' ' : ''}"""\n`
}
