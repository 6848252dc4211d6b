/** The text of a setting, with the name under which its giver knows it: --port or GAMMAWALL_PORT. */
export interface GivenText {
  readonly text: string
  readonly label: string
}

/** What `parse` reads of a text; undefined without one. A text that it refuses adds a sentence to `problems`. */
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

/** Reads names separated by commas, each one of those that there are and given once. Undefined where they are not. */
export function readNames(text: string, names: readonly string[]): readonly string[] | undefined {
  const found = text.split(',').map((name) => name.trim())
  const isGood = found.every((name) => names.includes(name)) && new Set(found).size === found.length
  return isGood ? found : undefined
}

/** As a sentence lists them: `synthetic or cboe`, `a, b or c`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
