import type { SelectorKind } from '../../api/stream-frames.ts'
import { CommandError } from '../protocol/command-error.ts'
import type { Catalog } from './catalog.ts'
import type { Field } from './field.ts'
import { readerOf, type StreamFieldReader } from './field-reader.ts'
import type { Operation } from './operation.ts'
import type { RowKey } from './row-key.ts'
import { readSelector, type Selector, selectorText } from './selector.ts'

/** Field of a metric id, with a function that reads it from a response. */
export interface ResolvedMetric {
  /** Canonical id: never shortened, each selector in its canonical spelling. */
  readonly id: string
  readonly operation: Operation
  readonly field: Field
  readonly reader: StreamFieldReader
}

const MAX_ID_LENGTH = 200
const idShape =
  /^([A-Za-z][\w-]*\.[A-Za-z][\w-]*)\.([A-Za-z]\w*(?:\[[^[\]]{1,40}\])*(?:\.[A-Za-z]\w*(?:\[[^[\]]{1,40}\])*)*)$/
const selectorShape = /\[([^[\]]*)\]/g

/**
 * Resolves a metric id, full or short. Ids are case-sensitive; in the first two names a hyphen counts as an underscore.
 */
export function resolveMetric(catalog: Catalog, id: string): ResolvedMetric | CommandError {
  const [, prefix, path] = (id.length <= MAX_ID_LENGTH && idShape.exec(id)) || []
  const operation = prefix === undefined ? undefined : catalog.operation(prefix.replaceAll('-', '_'))
  if (operation === undefined) return new CommandError('unknown_metric', 'no such metric: see the catalog')
  if (!operation.endpoint.stream) {
    return new CommandError('not_streamable', `${operation.prefix} is served over REST only`)
  }
  const field = operation.find(path.replace(selectorShape, '[*]'))
  if (field instanceof CommandError) return field
  const selectors: Selector[] = []
  const texts = [...path.matchAll(selectorShape)].map(([, text]) => text)
  for (const { name, rows } of field.path) {
    if (rows === undefined) continue
    const selector = readSelector(texts[selectors.length], rows)
    if (selector === undefined) {
      const written = rows.selectors.map((kind) => spelling(kind, rows)).join(', ')
      return new CommandError('invalid_selector', `rows of ${name} are picked by ${written}`)
    }
    selectors.push(selector)
  }
  let used = 0
  const canonical = field.id.replace(/\[\*\]/g, () => `[${selectorText(selectors[used++])}]`)
  return { id: canonical, operation, field, reader: readerOf(field.path, selectors) }
}

/** Describes how a selector is written, for error messages. */
function spelling(kind: SelectorKind, { field, selectors }: RowKey): string {
  if (kind === 'key') return `${field}, as in [${selectors.includes('atm') ? '600' : field}]`
  return kind === 'atm' ? '[atm], [atm+1], [atm-1]' : kind === 'front' ? '[front], [front+1]' : '[#0], [#1]'
}
