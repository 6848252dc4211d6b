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
