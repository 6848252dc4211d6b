/** The text that the user gave for a setting, and how it was given, for error messages: --port or GAMMAWALL_PORT. */
export interface GivenText {
  readonly text: string
  readonly label: string
}

/**
 * Parses the text of a setting. Returns undefined if the setting was not given. If `parse` rejects the text, adds a
 * sentence to `problems`.
 */
export function readText<Value>(
  given: GivenText | undefined,
  parse: (text: string) => Value | undefined,
  expected: string,
  problems: string[]
): Value | undefined {
  if (given === undefined) return undefined
  const value = parse(given.text)
  if (value === undefined) problems.push(`${given.label} must be ${expected}; it is ${JSON.stringify(given.text)}`)
  return value
}

/** Parses names separated by commas. Undefined if a name is unknown or occurs twice. */
export function readNames(text: string, names: readonly string[]): readonly string[] | undefined {
  const found = text.split(',').map((name) => name.trim())
  const isGood = found.every((name) => names.includes(name)) && new Set(found).size === found.length
  return isGood ? found : undefined
}

/** Joins names for a sentence: `synthetic or cboe`; `a, b or c`. */
export function listedNames(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
