import { describe } from './describe.ts'
import type { Tool } from './toolbox.ts'

/** A page of the documentation, such as a method. */
export interface DocumentPage {
  readonly name: string
  readonly title: string
  readonly text: () => string
}

interface ResourceText {
  readonly uri: string
  readonly mimeType: string
  readonly text: string
}

const METHODS = 'gammawall://methods/'
const VIEWS = 'gammawall://views/'
const CATALOG = 'gammawall://catalog'

export const resourceTemplates = [
  {
    uriTemplate: `${METHODS}{page}`,
    name: 'method',
    title: 'Method page',
    description: 'How a figure is computed: formula, convention, source',
    mimeType: 'text/markdown'
  },
  {
    uriTemplate: `${VIEWS}{tool}/{view}`,
    name: 'view',
    title: 'View of a tool',
    description: 'Arguments, figures with units and least plan of a view',
    mimeType: 'application/json'
  }
] as const

/** What can be read beside the tools: the catalog of views, and the pages of methods. */
export function listedResources(pages: readonly DocumentPage[]) {
  const catalog = {
    uri: CATALOG,
    name: 'catalog',
    title: 'Catalog',
    description: 'Every view of every tool in a line',
    mimeType: 'application/json'
  }
  const methods = pages.map(({ name, title }) => ({ uri: METHODS + name, name, title, mimeType: 'text/markdown' }))
  return [catalog, ...methods]
}

/** The text of a resource; undefined if there is none at this address. */
export function resourceText(
  uri: string,
  tools: readonly Tool[],
  pages: readonly DocumentPage[]
): ResourceText | undefined {
  if (uri === CATALOG) return { uri, mimeType: 'application/json', text: JSON.stringify(catalogOf(tools)) }
  if (uri.startsWith(METHODS)) {
    const page = pages.find(({ name }) => name === uri.slice(METHODS.length))
    return page && { uri, mimeType: 'text/markdown', text: page.text() }
  }
  if (!uri.startsWith(VIEWS)) return undefined
  const [tool, view] = uri.slice(VIEWS.length).split('/')
  const { structuredContent, isError } = describe(tools, { tool, view })
  return isError ? undefined : { uri, mimeType: 'application/json', text: JSON.stringify(structuredContent) }
}

function catalogOf(tools: readonly Tool[]) {
  return Object.fromEntries(
    tools.map(({ name, views }) => [
      name,
      Object.fromEntries(views.map(({ word, operation }) => [word, operation.summary]))
    ])
  )
}
