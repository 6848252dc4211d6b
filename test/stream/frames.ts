import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { usedOnce } from '../support/schemas-used-once.ts'

/** A frame as it travels. */
export type Frame = Readonly<Record<string, unknown>>

interface Shape {
  readonly $ref?: string
  readonly properties?: object
  readonly required?: readonly string[]
  readonly allOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
}
type Shapes = Readonly<Record<string, Shape>>

const file = resolve(import.meta.dirname, '../../../shared/contract/streaming.schema.json')
const ajv = new Ajv2020({ ...usedOnce, allErrors: true })
addFormats.default(ajv)
const isThere = existsSync(file)
const contract = isThere ? (JSON.parse(readFileSync(file, 'utf8')) as { readonly $defs: Shapes }) : undefined
if (contract !== undefined) ajv.addSchema(contract, 'stream')
else console.log('skipped: the schema of the stream is not beside the project, so frames are not checked with it')

const validators = new Map<string, ValidateFunction>()

/** Violation of the contract's schema by a frame or body; undefined if it fits or the schema is not available. */
export function faultOf(shape: string, value: unknown): string | undefined {
  if (!isThere) return undefined
  let validate = validators.get(shape)
  if (validate === undefined) validators.set(shape, (validate = ajv.compile({ $ref: `stream#/$defs/${shape}` })))
  return validate(value) ? undefined : `${JSON.stringify(value).slice(0, 300)}: ${ajv.errorsText(validate.errors)}`
}

/** The names of the fields of a shape, those it requires, and the shapes it is one of; undefined without the schema. */
export function schemaOf(shape: string) {
  if (contract === undefined) return undefined
  const nameOf = ({ $ref = '' }: Shape) => $ref.slice($ref.lastIndexOf('/') + 1)
  const { [shape]: schema } = contract.$defs
  const parts = (schema.allOf ?? [schema]).map((part) =>
    part.$ref === undefined ? part : contract.$defs[nameOf(part)]
  )
  return {
    properties: parts.flatMap(({ properties = {} }) => Object.keys(properties)),
    required: parts.flatMap(({ required = [] }) => required),
    alternatives: (schema.oneOf ?? []).map(nameOf)
  }
}

/** Throws where a frame does not fit its side of the schema; a server frame must fit the definition of its type. */
export function checkFrame(side: 'client_frame' | 'server_frame', frame: Frame): void {
  const fault = faultOf(side, frame)
  if (fault !== undefined) throw new Error(`no ${side}: ${fault}`)
}

/** Splits what was written to a socket into the texts of its frames. */
export function framesIn(bytes: string): Frame[] {
  const frames: Frame[] = []
  for (let at = 0; at < bytes.length; ) {
    if (bytes.charCodeAt(at) !== 0x81) throw new Error('no final text frame')
    const size = bytes.charCodeAt(at + 1)
    const head = size < 126 ? 2 : size === 126 ? 4 : 10
    let length = size < 126 ? size : 0
    for (let k = 2; k < head; k++) length = length * 256 + bytes.charCodeAt(at + k)
    const text = Buffer.from(bytes.slice(at + head, at + head + length), 'latin1').toString('utf8')
    frames.push(JSON.parse(text))
    at += head + length
  }
  return frames
}
