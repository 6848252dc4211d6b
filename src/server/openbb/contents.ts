import type { SchemaNode } from '../../api/schema-node.ts'
import { rowsOfCsv } from './lines.ts'
import { formsOf, leavesOf, wordsOf } from './widget-columns.ts'

/** What a widget shows of an answer. */
export type WidgetContent =
  | { readonly kind: 'rows'; readonly place: readonly string[] }
  | { readonly kind: 'lines' }
  | { readonly kind: 'figures' }
  | { readonly kind: 'text' }

/** Media type that the route of the API is asked for. */
export const acceptFor = ({ kind }: WidgetContent) => (kind === 'lines' ? 'text/csv' : 'application/json')

/** What a widget is sent, made from the text of an answer with the schema `response`. */
export function widgetBody(content: WidgetContent, text: string, response: SchemaNode): unknown {
  if (content.kind === 'lines') return rowsOfCsv(text)
  const answer = JSON.parse(text)
  if (content.kind === 'rows') return holderOf(answer, content.place)
  return contentOf[content.kind].of(answer, response)
}

/**
 * The object that holds the rows: the program finds them in it by one name. Where the answer has no such object, one
 * without rows.
 */
function holderOf(answer: unknown, place: readonly string[]): unknown {
  const last = place.at(-1)
  if (last === undefined) return answer
  const holder = valueAt(answer, place.slice(0, -1)) as Readonly<Record<string, unknown>> | null | undefined
  return holder?.[last] == null ? { ...holder, [last]: [] } : holder
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Readonly<Record<string, unknown>> | null)?.[name], value)
}

/** Figures or sentences of an answer, outside its arrays. */
export const contentOf = {
  /** Numbers with their units, in the form of a metric widget. Figures without a value are left out. */
  figures: {
    of: (answer: unknown, response: SchemaNode) =>
      valuesIn(answer, response).flatMap(({ path, node, value }) =>
        typeof value === 'number' ? [{ label: wordsOf(path.join(' ')), value: written(value, unitOf(node)) }] : []
      )
  },
  /** Sentences as Markdown, one paragraph each. */
  text: {
    isIn: (response: SchemaNode) => [...leavesOf(response)].some(([, node]) => isSentence(node)),
    of: (answer: unknown, response: SchemaNode) =>
      valuesIn(answer, response)
        .filter(({ node, value }) => isSentence(node) && typeof value === 'string')
        .map(({ path, value }) => `**${wordsOf(path.join(' '))}**: ${value}`)
        .join('\n\n')
  }
}

function valuesIn(answer: unknown, response: SchemaNode) {
  const leaves = new Map([...leavesOf(response)].map((leaf) => [leaf[0].join('.'), leaf]))
  return [...leaves.values()].map(([path, node]) => ({ path, node, value: valueAt(answer, path) }))
}

const isSentence = (node: SchemaNode) =>
  formsOf(node).some((form) => (form as { readonly 'x-text'?: string })['x-text'] === 'sentence')

const unitOf = (node: SchemaNode) => formsOf(node).find((form) => form['x-unit'] !== undefined)?.['x-unit'] ?? ''

const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 })
const plain = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 8 })

/** A figure as text: dollars, shares and contracts shortened, shares of one as percent. */
function written(value: number, unit: string): string {
  if (unit.startsWith('usd')) return `${value < 0 ? '-' : ''}$${short.format(Math.abs(value))}`
  if (unit === 'percent') return `${plain.format(value)}%`
  if (unit === 'fraction') return `${plain.format(100 * value)}%`
  return unit === 'shares' || unit === 'contracts' ? short.format(value) : plain.format(value)
}
