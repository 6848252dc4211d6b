import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from './support/temporary-folder.ts'

const root = join(import.meta.dirname, '..')
interface DocsFile {
  readonly name: string
  readonly content: string | Buffer
}
const { docsPages }: { docsPages(folder: string): readonly DocsFile[] } = await import(
  pathToFileURL(join(root, 'scripts/docs-pages.mjs')).href
)
const contentsOf = (folder: string) => new Map(docsPages(folder).map(({ name, content }) => [name, String(content)]))

/** The pages of a folder with these documents. */
function pagesOf(documents: Readonly<Record<string, string>>) {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'methods'))
  for (const [name, text] of Object.entries(documents)) writeFileSync(join(folder, name), text)
  return contentsOf(folder)
}
const mainOf = (page: string) => /<main>\n([\s\S]*)<\/main>/.exec(page)![1].trim()

describe('a page', () => {
  test('has headings with anchors, code and tables', () => {
    const pages = pagesOf({
      'a.md': '# The `flip` of a_b\n\nAt **spot**.\n\n    w * 2\n\n| a | b |\n| --- | --- |\n| \\|x\\| | `c \\| d` |\n'
    })
    const page = mainOf(pages.get('a.html')!)
    expect(page).toContain('<h1 id="the-flip-of-a_b">The <code>flip</code> of a_b</h1>')
    expect(page).toContain('<p>At <strong>spot</strong>.</p>')
    expect(page).toContain('<pre tabindex="0"><code>w * 2</code></pre>')
    expect(page).toMatch(
      /<div class="wide" tabindex="0"><table>[\s\S]*<td>\|x\|<\/td>\s*<td><code>c \| d<\/code><\/td>[\s\S]*<\/table><\/div>/
    )
  })

  test('never runs what its document holds', () => {
    const page = pagesOf({
      'a.md': '# A\n\n<script>alert(1)</script>\n\nText <img src=x onerror=alert(1)> of it.\n'
    }).get('a.html')!
    expect(page).not.toMatch(/<script|<img/)
    expect(page).toContain('&lt;script&gt;')
  })

  test('links to other pages and pictures; of what is not served only the words are kept', () => {
    const pages = pagesOf({
      'a.md':
        '# A\n\n[`b`](methods/b.md#part), [out](../README.md), [web](https://example.com), [list](methods/README.md).\n\n![P](p.svg)\n',
      'methods/README.md': '# Methods\n',
      'methods/b.md': '# B\n\nBack to [a](../a.md).\n',
      'p.svg': '<svg/>'
    })
    expect(mainOf(pages.get('a.html')!)).toContain(
      '<a href="/docs/methods/b#part"><code>b</code></a>, out, <a href="https://example.com">web</a>, <a href="/docs/methods">list</a>.'
    )
    expect(pages.get('a.md')).toContain('[`b`](/docs/methods/b.md#part), out, [web](https://example.com)')
    expect(pages.get('methods/b.md')).toContain('[a](/docs/a.md)')
    expect(pages.get('p.svg')).toBe('<svg/>')
    expect(pages.get('index.md')).toContain('- [B](/docs/methods/b.md): Back to a.')
  })
})

describe('the documentation', () => {
  const files = contentsOf(join(root, 'docs'))
  const pages = [...files].filter(([name]) => name.endsWith('.html'))
  const pageOf = (path: string) => (path === '' ? 'index.html' : files.has(path) ? path : `${path}.html`)

  test('has a page of HTML and one of Markdown for each document, and an index', () => {
    const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md')
    )
    expect(documents.length).toBeGreaterThan(60)
    const names = ['index', ...documents.map((name) => name.replace(/(\/README)?\.md$/, ''))]
    const expected = names.flatMap((name) => [`${name}.html`, `${name}.md`])
    expect(expected.filter((name) => !files.has(name))).toEqual([])
    for (const name of names.slice(1)) expect(files.get('index.md'), name).toContain(`(/docs/${name}.md)`)
  })

  test('links to what is there', () => {
    const broken = pages.flatMap(([name, html]) =>
      [...html.matchAll(/(?:href|src)="([^"]*)"/g)].flatMap(([, to]) => {
        if (/^(https?:\/\/|\/$|\/favicon\.ico$)/.test(to)) return []
        const [path, fragment] = to.startsWith('#') ? [name, to.slice(1)] : to.replace(/^\/docs\//, '').split('#')
        const target = files.get(pageOf(path))
        return target !== undefined && (fragment === undefined || target.includes(`id="${fragment}"`))
          ? []
          : [`${name}: ${to}`]
      })
    )
    expect(broken).toEqual([])
  })

  test('runs no script, has no style of its own and no mark that was not read', () => {
    for (const [name, html] of pages) {
      expect(html, name).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
      const words = html.replace(/<(pre|code)[^>]*>[\s\S]*?<\/\1>/g, '')
      expect(words, name).not.toMatch(/\]\(|\*\*|^\| |^#+ |`/m)
    }
  })

  test('has a page for every panel and figure of the dashboard that leads to one', () => {
    const folder = join(root, 'dashboard/src')
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'))
    const named = sources.flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/(?<!<form )\bmethod(?:="|: ')([\w-]+)["']/g)].map(
        ([, page]) => page
      )
    )
    expect(new Set(named).size).toBeGreaterThan(20)
    expect(named.filter((page) => !existsSync(join(root, 'docs/methods', `${page}.md`)))).toEqual([])
  })
})
