/**
 * Maps the target of a link to its served address; undefined: not served, so that only the text of the link is kept.
 */
type Leads = (to: string) => string | undefined

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The anchor of a heading, as code hosts make it. */
const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')

/** The text of a block as HTML. Code in backticks is not interpreted. */
function inline(text: string, leads: Leads): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, i) => {
      if (i % 2 === 1) return `<code>${escaped(part.slice(1, -1)).replaceAll('\\|', '|')}</code>`
      return escaped(part).replace(/\\([|*])/g, (_, sign: string) => `&#${sign.charCodeAt(0)};`)
    })
    .join('')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/g, '<em>$1</em>')
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, (_, words: string, to: string) => {
      const href = leads(to)
      return href === undefined ? words : `<a href="${href}">${words}</a>`
    })
}

/** One way of writing a block: how it begins, which lines go on with it, and what it is. */
interface Kind {
  readonly begins: RegExp
  goesOn(line: string, lines: readonly string[]): boolean
  html(lines: readonly string[], leads: Leads): string
}

/** `mark`: what an item begins with, as the text of a regular expression. */
const list = (tag: 'ul' | 'ol', mark: string): Kind => ({
  begins: new RegExp(`^${mark}`),
  goesOn: (line) => line !== '',
  html: (lines, leads) => {
    const items = lines.join('\n').split(new RegExp(`\\n(?=${mark})`))
    const words = items.map((item) => item.replace(new RegExp(`^${mark}`), '').replace(/\n\s+/g, ' '))
    return `<${tag}>${words.map((item) => `<li>${inline(item, leads)}</li>`).join('')}</${tag}>`
  }
})

const cellsOf = (row: string) =>
  row
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

const KINDS: readonly Kind[] = [
  {
    begins: /^```/,
    goesOn: (_, lines) => lines.length === 1 || lines.at(-1) !== '```',
    html: (lines) => `<pre tabindex="0"><code>${escaped(lines.slice(1, -1).join('\n'))}</code></pre>`
  },
  {
    begins: /^ {4}/,
    goesOn: (line) => line.startsWith('    '),
    html: (lines) => `<pre tabindex="0"><code>${escaped(lines.map((line) => line.slice(4)).join('\n'))}</code></pre>`
  },
  {
    begins: /^#+ /,
    goesOn: () => false,
    html: ([line = ''], leads) => {
      const [marks = '#'] = /^#+/.exec(line)!
      const words = line.slice(marks.length + 1)
      return `<h${marks.length} id="${slugOf(words)}">${inline(words, leads)}</h${marks.length}>`
    }
  },
  {
    begins: /^\|.*\|$/,
    goesOn: (line) => line.startsWith('|'),
    html: ([head = '', , ...rows], leads) => {
      const row = (text: string, tag: 'th' | 'td') =>
        `<tr>${cellsOf(text)
          .map((cell) => `<${tag}>${inline(cell, leads)}</${tag}>`)
          .join('')}</tr>`
      const body = rows.map((each) => row(each, 'td')).join('\n')
      return `<div class="wide" tabindex="0"><table><thead>${row(head, 'th')}</thead><tbody>${body}</tbody></table></div>`
    }
  },
  list('ul', '- '),
  list('ol', '\\d+\\. '),
  {
    begins: /./,
    goesOn: (line) => line !== '' && !line.startsWith('```'),
    html: (lines, leads) => `<p>${inline(lines.join('\n'), leads)}</p>`
  }
]

/** Turns the part of Markdown that docs/methods uses into HTML. */
export function htmlOf(markdown: string, leads: Leads): string {
  const lines = markdown.replaceAll('\r', '').split('\n')
  const blocks: string[] = []
  for (let at = 0; at < lines.length; ) {
    const kind = KINDS.find(({ begins }) => begins.test(lines[at]!))
    if (kind === undefined) {
      at++
      continue
    }
    const from = at++
    while (at < lines.length && kind.goesOn(lines[at]!, lines.slice(from, at))) at++
    blocks.push(kind.html(lines.slice(from, at), leads))
  }
  return blocks.join('\n')
}
