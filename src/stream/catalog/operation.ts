import type { Endpoint } from '../../api/endpoint.ts'
import { lazily } from '../../market/memoize.ts'
import { CommandError } from '../protocol/command-error.ts'
import type { Field } from './field.ts'
import { topField } from './schema.ts'

/** Maximum number of ids in the error for an ambiguous metric. */
const MAX_CANDIDATES = 20

/** An endpoint as the stream serves it, with its fields and their short names. */
export class Operation {
  readonly endpoint: Endpoint
  readonly prefix: string
  /** Names of its query parameters. */
  readonly parameters: readonly string[]
  /** Name of the path parameter with the symbol; undefined for an operation about the whole market. */
  readonly symbolParameter: string | undefined
  /** Whether every parameter must be given: an answer could otherwise be one row instead of a list. */
  readonly needsAllParameters: boolean
  /** The response field with the moment that the answer describes, if any. */
  readonly momentField: string | undefined
  /** The response field with the spot price for strike selectors, if any. */
  readonly spotField: string | undefined
  /** The block of the response whose fields need no block name. Streaming contract, section 4. */
  readonly mainBlock: string | undefined
  readonly #fields: () => readonly Field[]
  readonly #byPath: () => ReadonlyMap<string, Field>

  /** Fields are listed on first use, because one service streams few operations. */
  constructor(endpoint: Endpoint, fieldsOf: (endpoint: Endpoint) => readonly Field[]) {
    this.endpoint = endpoint
    this.prefix = endpoint.id
    this.#fields = lazily(() => fieldsOf(endpoint))
    this.#byPath = lazily(() => new Map(this.fields.map((field) => [field.id.slice(this.prefix.length + 1), field])))
    const { params, response, mainBlock } = endpoint
    this.parameters = Object.keys(params).filter((name) => params[name].in === 'query')
    this.symbolParameter = Object.keys(params).find((name) => params[name].in === 'path')
    const { anyOf = [] } = response as { readonly anyOf?: readonly { readonly type?: string }[] }
    this.needsAllParameters = anyOf.some(({ type }) => type === 'array')
    this.momentField = topField(response, (node) => node['x-moment'] === true)
    this.spotField = topField(response, (node) => node['x-spot'] === true)
    this.mainBlock = mainBlock
  }

  get fields(): readonly Field[] {
    return this.#fields()
  }

  /**
   * Finds the field of a path, with [*] for each selector: the field with this path, the one in the main block, or the
   * only field whose path ends with it.
   */
  find(path: string): Field | CommandError {
    const main = this.mainBlock
    const byPath = this.#byPath()
    const exact = byPath.get(path) ?? (main === undefined ? undefined : byPath.get(`${main}.${path}`))
    if (exact !== undefined) return exact
    const ends = [...byPath].filter(([known]) => known.endsWith(`.${path}`) && rowsIn(known) === rowsIn(path))
    if (ends.length === 1) return ends[0][1]
    if (ends.length > 1) return ambiguous(ends.map(([, field]) => field))
    const bare = withoutRows(path)
    const exactRows = [...byPath].filter(([known]) => withoutRows(known) === bare)
    if (exactRows.length > 0) {
      const ids = exactRows.map(([, { id }]) => id)
      return new CommandError('invalid_selector', `selectors stand where this id has [*]: ${ids.join(' or ')}`)
    }
    const inRows = [...byPath].filter(([known]) => withoutRows(known).endsWith(`.${bare}`))
    return inRows.length > 0
      ? ambiguous(inRows.map(([, field]) => field))
      : new CommandError('unknown_metric', 'no such metric')
  }

  /** Shorter ids of a field. */
  shortFormsOf(field: Field): readonly string[] {
    const path = field.id.slice(this.prefix.length + 1)
    if (path.includes('[')) return []
    const names = path.split('.')
    const shorter = names.slice(1).map((_, k) => names.slice(k + 1).join('.'))
    return shorter.filter((short) => this.find(short) === field).map((short) => `${this.prefix}.${short}`)
  }
}

const rowsIn = (path: string) => path.split('[*]').length
const withoutRows = (path: string) => path.replaceAll('[*]', '')

function ambiguous(fields: readonly Field[]): CommandError {
  const candidates = fields.slice(0, MAX_CANDIDATES).map(({ id }) => id)
  return new CommandError('ambiguous_metric', 'the name occurs in several places: give the full path', { candidates })
}
