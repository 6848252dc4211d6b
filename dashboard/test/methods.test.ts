import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { htmlOf } from '../methods/markdown.ts'
import { methodFiles } from '../methods/pages.ts'

const root = join(import.meta.dirname, '..')
const documentation = join(root, '../docs/methods')
const nowhere = () => undefined

test('headings, paragraphs and words are written as HTML', () => {
  expect(htmlOf('# Gamma flip\n\nThe **spot** at\nwhich `a < b` and *c*.', nowhere)).toBe(
    '<h1 id="gamma-flip">Gamma flip</h1>\n<p>The <strong>spot</strong> at\nwhich <code>a &lt; b</code> and <em>c</em>.</p>'
  )
})

test('a formula keeps its spaces, and a product is no emphasis', () => {
  expect(htmlOf('    G(x) = Σ s\n    w * 2', nowhere)).toBe('<pre tabindex="0"><code>G(x) = Σ s\nw * 2</code></pre>')
  expect(htmlOf('slope * move * 100', nowhere)).toBe('<p>slope * move * 100</p>')
})

test('a table has a head, and a stroke of its own in a cell', () => {
  const html = htmlOf('| figure | what |\n| --- | --- |\n| `a` | \\|net GEX\\| at `b \\| c` |', nowhere)
  expect(html).toContain('<thead><tr><th>figure</th><th>what</th></tr></thead>')
  expect(html).toContain('<tr><td><code>a</code></td><td>&#124;net GEX&#124; at <code>b | c</code></td></tr>')
})

test('items go on in the lines below them', () => {
  expect(htmlOf('- one\n  more\n- two', nowhere)).toBe('<ul><li>one more</li><li>two</li></ul>')
  expect(htmlOf('1. one\n2. two', nowhere)).toBe('<ol><li>one</li><li>two</li></ol>')
})

test('a link that leads nowhere is its words', () => {
  const leads = (to: string) => (to === 'x.md' ? '/methods/x.html' : undefined)
  expect(htmlOf('[a\nb](x.md), [c](../y.md)', leads)).toBe('<p><a href="/methods/x.html">a\nb</a>, c</p>')
})

const files = new Map(methodFiles(documentation, join(root, 'src/style')).map(({ name, content }) => [name, content]))

test('every page of the documentation is one of these, and links among them lead to what is there', () => {
  const pages = readdirSync(documentation).filter((name) => name.endsWith('.md'))
  expect(files.size).toBe(pages.length + 2)
  for (const [name, html] of files)
    for (const [, page, , fragment] of html.matchAll(/href="\/methods\/([\w.-]+)(#([^"]*))?"/g)) {
      expect(files.has(page!), `${name}: ${page}`).toBe(true)
      if (fragment !== undefined) expect(files.get(page!), `${name}: ${fragment}`).toContain(`id="${fragment}"`)
    }
})

test('no page holds a script or a style of its own, or a mark that was not read', () => {
  for (const [name, html] of files) {
    if (!name.endsWith('.html')) continue
    expect(html, name).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=/)
    const words = html.replace(/<(pre|code)[^>]*>[\s\S]*?<\/\1>/g, '')
    expect(words, name).not.toMatch(/\]\(|\*\*|^\| |^#+ |`/m)
  }
})

test('every panel and figure that leads to a page leads to one that is there', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.tsx')
  )
  const named = sources.flatMap((name) =>
    [...readFileSync(join(root, 'src', name), 'utf8').matchAll(/(?<!<form )\bmethod(?:="|: ')([\w-]+)["']/g)].map(
      ([, page]) => page!
    )
  )
  expect(new Set(named).size).toBeGreaterThan(20)
  for (const page of named) expect(existsSync(join(documentation, `${page}.md`)), page).toBe(true)
})

test('where the documentation is not at hand there are none', () => {
  expect(methodFiles(join(root, 'nowhere'), join(root, 'src/style'))).toEqual([])
})
