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
