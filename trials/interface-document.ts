import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { usedOnce } from '../test/support/schemas-used-once.ts'

// An OpenAPI document as a fuzzer reads it: what can be asked, and whether an answer is one that it declares.

/** A JSON schema, as far as hostile values are made from it. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

interface Declared {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, unknown>>
}

interface DeclaredOperation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, Declared>>
}

type Paths = Readonly<Record<string, Readonly<Record<string, DeclaredOperation>>>>

export interface Operation {
  readonly method: string
  /** Path as declared, with names in braces. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
}

export interface Received {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

/**
 * Statuses of refusals that HTTP itself may give at any address, whatever the operation: an address or a header that
 * cannot be read, a path or method that does not exist, a body too large or of another type, an expectation that cannot
 * be met, too many refusals. No operation repeats them; their body is that of every error.
 */
const ofHttp: ReadonlySet<number> = new Set([400, 404, 405, 413, 414, 415, 417, 426, 429, 431])

/** The bodies of refusals, by the names of their schemas. */
const errorSchemas = ['Error', 'Unauthorized', 'TierRestricted', 'QuotaExceeded']

const pointer = (...parts: readonly string[]) =>
  parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')

export class InterfaceDocument {
  readonly operations: readonly Operation[]
  readonly #paths: Paths
  readonly #ajv = new Ajv2020({ ...usedOnce, allErrors: false })
  readonly #checks = new Map<string, ValidateFunction>()

  /** `within` leaves out the paths that begin otherwise: those that another host serves. */
  constructor(document: object, within = '/') {
    const { paths } = document as { readonly paths: Paths } // the service's own document, whose shape is OpenAPI's
    this.#paths = paths
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(document, 'doc')
    this.operations = Object.entries(paths)
      .filter(([path]) => path.startsWith(within))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
          method: method.toUpperCase(),
          path,
          parameters,
          body: requestBody?.content['application/json']?.schema
        }))
      )
  }

  /** Describes in a sentence how an answer of an operation differs from its declaration; undefined if it does not. */
  faultOf({ method, path }: Operation, received: Received): string | undefined {
    const { status, contentType, text } = received
    const responses = this.#paths[path][method.toLowerCase()].responses
    const declared = responses[status]
    if (declared === undefined) {
      if (ofHttp.has(status)) return this.faultOfRefusal(received)
      return `status ${status} is not declared`
    }
    if (declared.$ref !== undefined) return this.#against(declared.$ref, received)
    const types = Object.keys(declared.content ?? {})
    if (types.length === 0) return text === '' ? undefined : 'a body where none is declared'
    const type = types.find((each) => contentType.startsWith(each))
    if (type === undefined) return `content type ${contentType || 'none'} where ${types.join()} is declared`
    if (type !== 'application/json') return undefined
    return this.#against(
      `#/${pointer('paths', path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema')}`,
      received
    )
  }

  /**
   * Describes how the body of a refusal that no operation declares differs from the error schemas; undefined if it does
   * not.
   */
  faultOfRefusal(received: Received): string | undefined {
    const faults = errorSchemas.map((name) => this.#against(`#/components/schemas/${name}`, received))
    return faults.every((fault) => fault !== undefined) ? `no error body: ${faults[0]}` : undefined
  }

  #against(reference: string, { text }: Received): string | undefined {
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      return 'the body is no JSON'
    }
    const target = reference.startsWith('#/components/responses/')
      ? `${reference}/content/application~1json/schema`
      : reference
    let check = this.#checks.get(target)
    if (check === undefined) this.#checks.set(target, (check = this.#ajv.compile({ $ref: `doc${target}` })))
    return check(body) ? undefined : this.#ajv.errorsText(check.errors, { dataVar: 'body' })
  }
}
