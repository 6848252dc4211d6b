import type { Brand } from '../../api/brand/brand.ts'
import { surfaces } from '../../api/brand/contrast.ts'
import { entityTag } from '../http/entity-tag.ts'
import type { PageFile } from './dashboard-files.ts'
import type { Visitor } from './visitor.ts'

/** Facts about the company and its sign-in that a page carries in its head. */
export interface PageFacts {
  readonly brand: Brand
  /** Words of the button that signs in by the company's own identity provider; undefined if there is none. */
  readonly signIn: string | undefined
  /** Why that did not work, as a sentence. */
  readonly trouble?: string | undefined
  /** The reader; undefined where the page is not for one alone. */
  readonly visitor?: Visitor | undefined
}

/** Pages made last, with the facts that they carry. */
const made = new WeakMap<PageFile, { readonly facts: string; readonly page: PageFile }>()

/**
 * A page with a company's name, colours and links. They stand in its head as text of attributes and as checked colours,
 * so the content policy needs no exception. A page without anything to add is the file itself.
 */
export function brandedPage(file: PageFile, { brand, signIn, trouble, visitor }: PageFacts): PageFile {
  const { name, support, terms, upgrade, accent } = brand
  const facts = JSON.stringify({ name, support, terms, upgrade, signIn, trouble })
  const reader = visitor === undefined ? '' : metaOf('visitor', JSON.stringify(visitor))
  const key = `${facts}${JSON.stringify(accent)}${reader}`
  const last = made.get(file)
  if (last?.facts === key) return last.page
  const head = `${metaOf('brand', facts)}${reader}${accent === undefined ? '' : styleOf(accent)}`
  const html = file.body
    .toString('utf8')
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(name)}</title>`)
    .replace('</head>', () => `${head}</head>`)
  const body = Buffer.from(html)
  const page: PageFile = { type: file.type, body, etag: entityTag(body), compressed: {} }
  if (trouble === undefined) made.set(file, { facts: key, page })
  return page
}

const metaOf = (name: string, content: string) => `<meta name="${name}" content="${escaped(content)}" />`

/** Style of the accent. Text on it has the ground of the theme, whose contrast with the accent was checked. */
function styleOf({ dark, light }: NonNullable<Brand['accent']>): string {
  const rule = (selector: string, colour: string, ground: string) =>
    `${selector}{--accent:${colour};--on-accent:${ground}}`
  return `<style>${rule(':root,[data-theme=dark]', dark, surfaces.dark.ground)}${rule('[data-theme=light]', light, surfaces.light.ground)}</style>`
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => named[character]!)

/** The logo of a company as a file. */
export function logoFile({ logo }: Brand): PageFile | undefined {
  if (logo === undefined) return undefined
  const body = Buffer.from(logo)
  return { type: 'image/svg+xml; charset=utf-8', body, etag: entityTag(body), compressed: {} }
}
