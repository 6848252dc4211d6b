/** Reads CSV as RFC 4180 writes it, with LF at the end of every line. Throws where it is otherwise. */
export function parsedCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length; ) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (at >= text.length) throw new Error('a quoted cell has no end')
        if (text[at] === '"') at++
        cell += text[at]
      }
      at++
    } else {
      while (at < text.length && !',\n'.includes(text[at])) cell += text[at++]
      if (/["\r]/.test(cell)) throw new Error(`a cell wants quotes: ${cell}`)
    }
    row.push(cell)
    if (text[at] === '\n') {
      rows.push(row)
      row = []
    } else if (text[at] !== ',') throw new Error(`a cell is followed by ${text[at]}`)
    at++
  }
  if (row.length > 0) throw new Error('the last line has no end')
  return rows
}
