/** Parses JSON. Throws an Error whose message names the line of a mistake. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const { message } = error as Error
    const at = /\bposition (\d+)/.exec(message)?.[1]
    const before = at === undefined ? text : text.slice(0, Number(at))
    throw new Error(`line ${before.split('\n').length}: ${message}`)
  }
}

/** The lines, counted from 1, on which the entries of the outermost array or object of a JSON text begin. */
export function entryLines(text: string): readonly number[] {
  const lines: number[] = []
  let [line, depth, inString, isStart] = [1, 0, false, false]
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '\n') line++
    if (inString) {
      if (character === '\\') at++
      else inString = character !== '"'
      continue
    }
    if (/\s/.test(character)) continue
    if (isStart && character !== ']' && character !== '}') lines.push(line)
    isStart = false
    if (character === '"') inString = true
    else if (character === '[' || character === '{') isStart = ++depth === 1
    else if (character === ']' || character === '}') depth--
    else if (character === ',') isStart = depth === 1
  }
  return lines
}
