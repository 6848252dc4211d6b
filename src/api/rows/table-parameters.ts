import Type from 'typebox'
import type { Endpoint } from '../endpoint.ts'
import { choice, type Parameter, type Parameters } from '../params.ts'
import { answerTables } from './answer-table.ts'
import { tableForms } from './forms.ts'

/** How a request wants its answer written. */
export interface WantedForm {
  /** Media type; undefined for JSON. */
  readonly form: string | undefined
  /** Table of the answer; undefined for JSON, and for what the endpoint itself writes in that form. */
  readonly rows: string | undefined
}

const JSON_WORD = 'json'
const words = [JSON_WORD, ...tableForms.map(({ name }) => name)]

const format: Parameter<string | undefined> = choice({
  description: `${words.slice(0, -1).join(', ')} or ${words.at(-1)}: how the answer is written; it comes before the Accept header`,
  spelling: Object.fromEntries(words.map((word) => [word, word])),
  code: 'invalid_format',
  example: JSON_WORD
})

const declared = new WeakMap<Endpoint, Parameters>()

/**
 * Parameters that every endpoint has besides its own: the form of the answer, and which of its rows. None if the
 * endpoint itself says by a parameter how it is written.
 */
export function tableParameters(endpoint: Endpoint): Parameters {
  if (endpoint.formWanted !== undefined) return {}
  let parameters = declared.get(endpoint)
  if (parameters === undefined) declared.set(endpoint, (parameters = { format, rows: rowsOf(endpoint) }))
  return parameters
}

function rowsOf(endpoint: Endpoint): Parameter<string | undefined> {
  const { names, main } = answerTables(endpoint)
  const description = `one of ${names.join(', ')}: the rows of ${formNames}; flat for the figures of the answer itself`
  return {
    in: 'query',
    schema: Type.Unsafe<string>({
      type: 'string',
      enum: names,
      description,
      ...(!hasOwnTable(endpoint) && { default: main })
    }),
    required: false,
    code: 'invalid_rows',
    missing: 'invalid_rows',
    example: main,
    read: (text) => names.find((name) => name === text),
    absent: undefined
  }
}

const formNames = tableForms.map(({ name }) => name).join(' and ')
const hasOwnTable = ({ forms }: Endpoint) => forms.some(({ type }) => tableForms.some((form) => form.type === type))

/** Media types in which an answer can be had besides JSON, its own first. */
export function mediaTypes({ forms, formWanted }: Endpoint): readonly string[] {
  const own = forms.map(({ type }) => type)
  return formWanted === undefined ? [...new Set([...own, ...tableForms.map(({ type }) => type)])] : own
}

/**
 * How a request wants its answer. `asked` holds the values of `tableParameters`, `accepted` the media type that its
 * Accept header prefers.
 */
export function wantedForm(
  endpoint: Endpoint,
  asked: Readonly<Record<string, unknown>>,
  accepted: string | undefined
): WantedForm {
  const { format: word, rows } = asked as { readonly format?: string; readonly rows?: string }
  const form = word === undefined ? accepted : tableForms.find(({ name }) => name === word)?.type
  if (form === undefined) return { form, rows: undefined }
  const isOwn = rows === undefined && endpoint.forms.some(({ type }) => type === form)
  return { form, rows: isOwn ? undefined : (rows ?? answerTables(endpoint).main) }
}
