/** The lines that a terminal shows after this was written to it, for the few commands that are used. */
export function shownBy(text: string): readonly string[] {
  const lines = ['']
  let row = 0
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is read here
  for (const [part] of text.matchAll(/\x1b\[\??\d*[A-Za-z]|[\r\n]|[^\x1b\r\n]+/g)) {
    if (part === '\n') lines[++row] ??= ''
    else if (part === '\x1b[J') lines.splice(row, Number.POSITIVE_INFINITY, '')
    else if (part.endsWith('A') && part.startsWith('\x1b')) row -= Number(part.slice(2, -1))
    else if (!part.startsWith('\x1b') && part !== '\r') lines[row] += part
  }
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
