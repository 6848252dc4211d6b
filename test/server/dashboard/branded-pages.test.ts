import { expect, test } from 'vitest'
import type { Brand } from '../../../src/api/brand/brand.ts'
import { brandedPage, logoFile } from '../../../src/server/dashboard/branded-pages.ts'

const html = '<!doctype html><head><title>gammawall</title></head><body></body>'
const file = () => ({ type: 'text/html; charset=utf-8', body: Buffer.from(html), etag: '"x"', compressed: {} })
const textOf = (brand: Brand, more = {}) =>
  brandedPage(file(), { brand, signIn: undefined, ...more }).body.toString('utf8')

test('a page carries name, links and colours of the company', () => {
  const text = textOf({ name: 'Desk', terms: 'https://desk.example/', accent: { dark: '#7cbcff', light: '#0d5cb4' } })
  expect(text).toContain('<title>Desk</title>')
  expect(text).toContain(
    'content="{&quot;name&quot;:&quot;Desk&quot;,&quot;terms&quot;:&quot;https://desk.example/&quot;}"'
  )
  expect(text).toContain('[data-theme=light]{--accent:#0d5cb4;--on-accent:#eef1f5}')
})

test('no text of a brand ends the place where it stands', () => {
  const name = `</title><script>alert("1")</script>'$&$'`
  const text = textOf({ name }, { trouble: '"><img src=x onerror=alert(1)>' })
  expect(text).not.toMatch(/<script|<img/)
  const [, content = ''] = /<meta name="brand" content="([^"]*)"/.exec(text)!
  const plain = content
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
  expect(JSON.parse(plain)).toEqual({ name, trouble: '"><img src=x onerror=alert(1)>' })
})

test('a page carries what is known of its reader, and another reader gets another page', () => {
  const known = { visitor: { signed_in: true, plan: 'Basic' } }
  expect(textOf({ name: 'Desk' }, known)).toContain(
    '<meta name="visitor" content="{&quot;signed_in&quot;:true,&quot;plan&quot;:&quot;Basic&quot;}" />'
  )
  const page = file()
  const facts = { brand: { name: 'Desk' }, signIn: undefined, ...known }
  const first = brandedPage(page, facts)
  expect(brandedPage(page, facts)).toBe(first)
  expect(brandedPage(page, { ...facts, visitor: { signed_in: false } }).etag).not.toBe(first.etag)
})

test('a page is made once for each brand, and names its new state', () => {
  const page = file()
  const facts = { brand: { name: 'Desk' }, signIn: undefined }
  const first = brandedPage(page, facts)
  expect(brandedPage(page, { ...facts, brand: { name: 'Desk' } })).toBe(first)
  expect(brandedPage(page, { ...facts, brand: { name: 'Other' } }).etag).not.toBe(first.etag)
})

test('a brand without a logo leaves the usual picture', () => {
  expect(logoFile({ name: 'Desk' })).toBeUndefined()
  expect(logoFile({ name: 'Desk', logo: '<svg/>' })?.type).toBe('image/svg+xml; charset=utf-8')
})
