import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseBrand } from '../../../src/api/brand/brand-file.ts'
import { contrast, surfaces } from '../../../src/api/brand/contrast.ts'
import { logoProblems } from '../../../src/api/brand/logo.ts'

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M1 1h6" stroke="#123456"/></svg>'

function parsed(json: unknown, logo: string | undefined = LOGO) {
  const problems: string[] = []
  return { brand: parseBrand(json, () => logo, problems), problems }
}

const whole = {
  name: 'Desk Analytics',
  logo: 'logo.svg',
  accent: { dark: '#7cbcff', light: '#0d5cb4' },
  support: 'mailto:help@desk.example',
  terms: 'https://desk.example/terms',
  upgrade: {
    address: 'https://desk.example/plans?user={user}&plan={plan}',
    label: 'Compare plans',
    text: 'Ask the desk for more.'
  }
}

test('a whole brand is read as it was written, its logo as text', () => {
  expect(parsed(whole)).toEqual({ brand: { ...whole, logo: LOGO }, problems: [] })
  expect(parsed({ name: 'Desk' })).toEqual({ brand: { name: 'Desk' }, problems: [] })
})

test.each([
  [[], /an object with the fields/],
  [{}, /name is missing/],
  [{ name: '' }, /name must be a text of 1 to 40/],
  [{ name: 'a\nb' }, /name must be a text of 1 to 40/],
  [{ name: 'x'.repeat(41) }, /name must be a text of 1 to 40/],
  [{ name: 'Desk', css: 'body{}' }, /the field css is unknown/],
  [{ name: 'Desk', logo: '../../etc/passwd' }, /logo must be the name of an SVG file/],
  [{ name: 'Desk', logo: 'logo.png' }, /logo must be the name of an SVG file/],
  [{ name: 'Desk', accent: '#7cbcff' }, /a colour for each theme/],
  [{ name: 'Desk', accent: { dark: 'red;}', light: '#0d5cb4' } }, /a colour for each theme/],
  [
    { name: 'Desk', accent: { dark: '#7cbcff', light: '#7cbcff' } },
    /light #7cbcff has a contrast of 1\.\d+ .* needs 4\.5/
  ],
  [{ name: 'Desk', accent: { dark: '#0d5cb4', light: '#0d5cb4' } }, /dark #0d5cb4 has a contrast of 2\.\d+/],
  [{ name: 'Desk', support: 'javascript:alert(1)' }, /support must be an address/],
  [{ name: 'Desk', terms: 'http://desk.example' }, /terms must be an address/],
  [{ name: 'Desk', terms: 'https://user:password@desk.example' }, /terms must be an address/],
  [{ name: 'Desk', terms: 'https://desk.example/{plan}?"><script>' }, /terms must be an address/],
  [{ name: 'Desk', upgrade: { address: 'https://{user}.example/', label: 'x' } }, /upgrade: address/],
  [{ name: 'Desk', upgrade: { address: 'https://desk.example/{key}', label: 'x' } }, /upgrade: address/],
  [{ name: 'Desk', upgrade: { address: 'https://desk.example/', label: '' } }, /upgrade: label/],
  [{ name: 'Desk', upgrade: { address: 'https://desk.example/', text: 7 } }, /upgrade: text/],
  [{ name: 'Desk', upgrade: { address: 'https://desk.example/', html: '<b>' } }, /upgrade: the field html is unknown/]
])('%j is refused with a sentence', (json, sentence) => {
  const { brand, problems } = parsed(json)
  expect(brand).toBeUndefined()
  expect(problems.join('; ')).toMatch(sentence)
})

test('a logo that cannot be read or is too large is refused', () => {
  const problems: string[] = []
  expect(parseBrand({ name: 'Desk', logo: 'logo.svg' }, () => undefined, problems)).toBeUndefined()
  expect(problems).toEqual(['logo: the file logo.svg cannot be read'])
  expect(parsed({ name: 'Desk', logo: 'l.svg' }, LOGO.replace('M1', 'M1'.repeat(11_000))).problems).toEqual([
    'logo: l.svg is larger than 20 KB'
  ])
})

describe('a logo', () => {
  const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`

  test.each([
    LOGO,
    svg('<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><rect fill="url(#a)"/>'),
    svg('<symbol id="s"><circle r="1"/></symbol><use href="#s"/><text>R&amp;D</text>'),
    `<?xml version="1.0"?>\n<!-- made by a program -->\n${svg('<g/>')}`
  ])('may draw: %s', (text) => expect(logoProblems(text)).toEqual([]))

  test.each([
    ['<html></html>', /begin with <svg/],
    [svg('<script>alert(1)</script>'), /<script> is not allowed/],
    [svg('<style>@import "https://x"</style>'), /<style> is not allowed/],
    [svg('<foreignObject/>'), /<foreignObject> is not allowed/],
    [svg('<image href="https://x/y.png"/>'), /<image> is not allowed/],
    [svg('<rect onload="alert(1)"/>'), /attribute onload is not allowed/],
    [svg('<rect ONLOAD="alert(1)"/>'), /attribute ONLOAD is not allowed/],
    [svg('<use href="https://x/y.svg#a"/>'), /href must name a part/],
    [svg('<use xlink:href="data:image/svg+xml,x"/>'), /xlink:href must name a part/],
    [svg('<rect fill="url(https://x/y)"/>'), /must not load anything/],
    [svg('<rect style="fill:u\\72l(https://x)"/>'), /must not load anything/],
    [svg('<rect fill="url&#40;https://x)"/>'), /entities other than/],
    ['<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>', /begin with <svg/],
    [svg('<![CDATA[<script>]]>'), /neither text nor a tag/],
    [svg('<rect fill=red onload=alert(1) />'), /neither text nor a tag/],
    [svg('<rect x="<script>"/>'), /is not allowed|neither text nor a tag/]
  ])('may not do more: %s', (text, sentence) => expect(logoProblems(text).join('; ')).toMatch(sentence))
})

test('contrast is the published ratio, of the colours that the style sheet has', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 10)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2) // WebAIM: the grey that just fails
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
  const css = readFileSync(join(import.meta.dirname, '../../../dashboard/src/style/tokens.css'), 'utf8')
  for (const [theme, colours] of Object.entries(surfaces)) {
    const block = css.slice(css.indexOf(`[data-theme="${theme}"]`))
    for (const [name, colour] of Object.entries(colours))
      expect(block).toMatch(new RegExp(`^[^}]*--${name}: ${colour};`))
  }
})
