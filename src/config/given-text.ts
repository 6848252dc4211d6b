/** Text of a setting, with its label in messages, e.g. --port or GAMMAWALL_PORT. */
export interface GivenText {
  readonly text: string
  readonly label: string
}

/**
 * Parses the text of a setting; undefined if the setting was not given. A text that `parse` rejects adds a sentence to
 * `problems`.
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

/** Parses names separated by commas; undefined if any is unknown or repeated. */
export function readNames(text: string, names: readonly string[]): readonly string[] | undefined {
  const found = text.split(',').map((name) => name.trim())
  const isGood = found.every((name) => names.includes(name)) && new Set(found).size === found.length
  return isGood ? found : undefined
}

/** Joins names for a sentence: `synthetic or cboe`, `a, b or c`. */
export function listedNames(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
