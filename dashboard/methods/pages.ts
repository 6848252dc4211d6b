import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { htmlOf } from './markdown.ts'

export interface MethodFile {
  readonly name: string
  readonly content: string
}

const LIST = 'README.md'

const fileOf = (page: string) => (page === LIST ? 'index.html' : page.replace(/\.md$/, '.html'))

/** Pages of docs/methods link to one another; other files are not served. */
function leads(to: string): string | undefined {
  if (/^(https?:|#)/.test(to)) return to
  const [page = '', fragment] = to.split('#')
  if (!/^[\w-]+\.md$/.test(page)) return undefined
  return `/methods/${fileOf(page)}${fragment === undefined ? '' : `#${fragment}`}`
}

/** Sets the theme before anything is drawn: the dashboard's, or the system's if the browser stores nothing. */
const THEME = `const light = matchMedia('(prefers-color-scheme: light)').matches
let kept = null
try {
  kept = localStorage.getItem('theme')
} catch {}
document.documentElement.dataset.theme = kept === 'dark' || kept === 'light' ? kept : light ? 'light' : 'dark'
`

function pageOf(markdown: string): string {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? 'Methods'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · gammawall</title>
<link rel="icon" href="/mark.svg">
<link rel="stylesheet" href="/methods/methods.css">
<script src="/methods/theme.js"></script>
</head>
<body>
<nav aria-label="Pages"><a href="/">gammawall</a> <a href="/methods/index.html">Methods</a></nav>
<main>
${htmlOf(markdown, leads)}
</main>
</body>
</html>
`
}

/** The pages of docs/methods with their style and script. Empty if the documentation is not there. */
export function methodFiles(documentation: string, style: string): readonly MethodFile[] {
  if (!existsSync(join(documentation, LIST))) return []
  const pages = readdirSync(documentation).filter((name) => name.endsWith('.md'))
  const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8')
  return [
    ...pages.map((name) => ({ name: fileOf(name), content: pageOf(read(documentation, name)) })),
    { name: 'methods.css', content: read(style, 'tokens.css') + read(style, 'methods.css') },
    { name: 'theme.js', content: THEME }
  ]
}
