const token = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<[^>]*>|[^<]+/g
const opening = /^<([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>$/
const closing = /^<\/([A-Za-z][\w:.-]*)\s*>$/
const strayAmpersand = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)/

/** The first thing that keeps a text from being well-formed XML; undefined where nothing does. */
export function xmlFault(text: string): string | undefined {
  const open: string[] = []
  let roots = 0
  for (const [piece] of text.matchAll(token)) {
    if (piece.startsWith('<!')) continue
    if (strayAmpersand.test(piece)) return `stray ampersand in ${piece}`
    if (!piece.startsWith('<')) {
      if (open.length === 0 && piece.trim() !== '') return `text outside the root: ${piece}`
      continue
    }
    const [, end] = closing.exec(piece) ?? []
    if (end !== undefined) {
      if (open.pop() !== end) return `${piece} closes what is not open`
      continue
    }
    const [, name, , empty] = opening.exec(piece) ?? []
    if (name === undefined) return `not a tag: ${piece}`
    if (open.length === 0) roots++
    if (empty === '') open.push(name)
  }
  if (open.length > 0) return `${open.join(', ')} left open`
  return roots === 1 ? undefined : `${roots} roots`
}

/** Texts in a picture in drawing order. */
export function textsOf(svg: string): readonly string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)
}
