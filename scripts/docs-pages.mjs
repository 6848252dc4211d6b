// Makes a page of HTML and a page of Markdown of every document in docs/, with an index. The build writes them, the service
// serves them under /docs/: `streaming.html` at /docs/streaming, `streaming.md` at /docs/streaming.md, the README of a folder
// at the name of the folder.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Marked } from 'marked'

const STYLE = fileURLToPath(new URL('docs-pages.css', import.meta.url))
const BASE = '/docs/'

/** Escapes text for HTML, also for an attribute in double quotes. */
const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The anchor of a heading, as code hosts make it. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** Name of a page: `methods/skew.md` is methods/skew, `methods/README.md` is methods. */
const nameOf = (file) => file.replace(/(\/README)?\.md$/, '')

/**
 * All files to be served, by name and content: pages with their sources, the pictures that they show and their style. Of a
 * link to what is not among them only the words are kept.
 */
export function docsPages(folder) {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md'))
    .sort()
  const documents = sources.map((file) => ({
    file,
    name: nameOf(file),
    markdown: readFileSync(join(folder, file), 'utf8')
  }))
  const served = new Map(documents.map(({ file, name }) => [file, name]))
  const pictures = new Set()
  const files = documents.flatMap(({ file, name, markdown }) => {
    const placed = resolvedLinks(markdown, (to) => addressOf(to, file, served, folder, pictures))
    return pageFiles(name, placed)
  })
  const index = pageFiles('index', indexOf(documents))
  const shown = [...pictures].map((name) => ({ name, content: readFileSync(join(folder, name)) }))
  return [...files, ...index, ...shown, { name: 'docs.css', content: readFileSync(STYLE) }]
}

const pageFiles = (name, markdown) => [
  { name: `${name}.md`, content: markdown },
  { name: `${name}.html`, content: pageOf(name, markdown) }
]

/** Address that a link in a document leads to; undefined if what it leads to is not served. */
function addressOf(to, file, served, folder, pictures) {
  if (/^(https?:|#)/.test(to)) return to
  const [path, fragment] = to.split('#')
  const target = posix.normalize(posix.join(posix.dirname(file), path))
  const tail = fragment === undefined ? '' : `#${fragment}`
  if (served.has(target)) return `${BASE}${served.get(target)}.md${tail}`
  if (!/^[\w/-]+\.(svg|png)$/.test(target) || !existsSync(join(folder, target))) return undefined
  pictures.add(target)
  return BASE + target
}

/** Writes the addresses of links and pictures anew, except in blocks of code. */
function resolvedLinks(markdown, addressOf) {
  return markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, i) => {
      if (i % 2 === 1) return part
      return part.replace(/(!?)\[((?:[^\]]|\](?!\())+)\]\(([^)\s]+)\)/g, (_, mark, words, to) => {
        const address = addressOf(to)
        return address === undefined ? words : `${mark}[${words}](${address})`
      })
    })
    .join('')
}

/** A list of all documents with the first sentence of each. */
function indexOf(documents) {
  const line = ({ name, markdown }) => `- [${titleOf(markdown)}](${BASE}${name}.md): ${firstSentence(markdown)}`
  const below = (folder) => documents.filter(({ name }) => name.startsWith(folder)).map(line)
  const own = documents.filter(({ name }) => !name.includes('/')).map(line)
  return `# Documentation\n\n${own.join('\n')}\n\n## Methods\n\n${below('methods/').join('\n')}\n`
}

const titleOf = (markdown) => /^# (.+)$/m.exec(markdown)?.[1] ?? 'gammawall'

/** The first sentence of the first paragraph, as text without links. */
function firstSentence(markdown) {
  const paragraphs = markdown.split(/\n\s*\n/).filter((text) => /^[\p{L}`*[]/u.test(text))
  const words = (paragraphs[0] ?? '').replace(/\s+/g, ' ').replace(/!?\[([^\]]+)\]\([^)]*\)/g, '$1')
  return /^.*?[.:](?= |$)/.exec(words)?.[0].replace(/:$/, '.') ?? words
}

/** Reads Markdown as code hosts do. HTML in it is shown as text, so that a page never runs a script. */
const reader = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => (text.startsWith('<!--') ? '' : escaped(text)),
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${escaped(anchorOf(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
    link({ href, tokens }) {
      const page = href.startsWith(BASE) ? href.replace(/\.md(?=#|$)/, '') : href
      return `<a href="${escaped(page)}">${this.parser.parseInline(tokens)}</a>`
    }
  }
})

function pageOf(name, markdown) {
  const html = reader.parse(markdown).replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(titleOf(markdown))} · gammawall</title>
<link rel="icon" href="/favicon.ico">
<link rel="alternate" type="text/markdown" href="${BASE}${name}.md">
<link rel="stylesheet" href="${BASE}docs.css">
</head>
<body>
<nav aria-label="Pages"><a href="/">gammawall</a> <a href="${BASE}">Documentation</a> <a href="${BASE}methods">Methods</a></nav>
<main>
${html.replaceAll('</table>', '</table></div>')}</main>
</body>
</html>
`
}
