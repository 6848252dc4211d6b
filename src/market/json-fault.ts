/** Matches a string, or a bare word that is no JSON. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity|None|undefined)\b/g
const lastName = /"((?:[^"\\]|\\.)*)"\s*:\s*$/

/**
 * Says why a text is no JSON: the first bare NaN, Infinity or None with the field that holds it and its line, as some
 * programs write missing numbers. Returns `otherwise` if there is none. `firstLine` is the number of the text's first line.
 */
export function jsonFault(text: string, otherwise: string, firstLine = 1): string {
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token.startsWith('"')) continue
    const before = text.slice(0, index)
    const field = lastName.exec(before.slice(-200))?.[1]
    const line = firstLine + before.split('\n').length - 1
    return `${field === undefined ? 'a value' : field} is ${token} in line ${line}, which JSON does not know: write null`
  }
  return otherwise
}
