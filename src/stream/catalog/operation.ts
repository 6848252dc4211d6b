import type { Endpoint } from '../../api/endpoint.ts'
import { lazily } from '../../market/memoize.ts'
import { CommandError } from '../protocol/command-error.ts'
import type { Field } from './field.ts'
import { topField } from './schema.ts'

const MAX_CANDIDATES = 20

/** An endpoint from the stream's point of view: its fields, their short names, and its parameters. */
export class Operation {
  readonly endpoint: Endpoint
  readonly prefix: string
  readonly parameters: readonly string[]
  /** Name of the path parameter that holds the symbol; undefined for an endpoint about the whole market. */
  readonly symbolParameter: string | undefined
  /** Whether every parameter must be given. If some were missing, the response could be a list instead of one row. */
  readonly needsAllParameters: boolean
  /** Name of the response field with the moment that the response describes, if there is one. */
  readonly momentField: string | undefined
  /** Name of the response field with the spot price, if there is one; used by `[atm]` selectors. */
  readonly spotField: string | undefined
  /**
   * Block of the response whose name may be left out of metric ids. Source: the published streaming contract, section
   * 4.
   */
  readonly mainBlock: string | undefined
  readonly #fields: () => readonly Field[]
  readonly #byPath: () => ReadonlyMap<string, Field>

  /** Fields are listed only on first use, because a running service streams few operations. */
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
   * Finds a field by its path, written with [*] for each selector. Tries the full path first, then the path inside the
   * main block, then all fields whose path ends with it. If several fields match, returns an error.
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

  /** Shorter ids that also resolve to this field. */
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
