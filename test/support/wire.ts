import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { ApiError } from '../../src/api/error.ts'
import { readParameters } from '../../src/api/params.ts'
import { textSerializerOf } from '../../src/api/serializer.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { usedOnce } from './schemas-used-once.ts'

const contractFile = resolve(import.meta.dirname, '../../../shared/contract/market.yaml')
const ajv = new Ajv2020({ ...usedOnce, allErrors: true })
addFormats.default(ajv)
const contract = existsSync(contractFile)
if (contract) ajv.addSchema(parse(readFileSync(contractFile, 'utf8')), 'contract')
else console.log('skipped: the contract is not beside the project, so answers are held to their declared schemas alone')

/** Friday 2026-06-05, 14:30:00.123 UTC. */
export const requestTime = Date.UTC(2026, 5, 5, 14, 30, 0, 123)

interface Request {
  readonly query?: Readonly<Record<string, string | number | readonly string[]>>
  readonly body?: unknown
}

/** The text a calculator answers with, from the query as it comes off the wire or from parsed JSON. */
export function answerText(endpoint: Endpoint, { query = {}, body }: Request): string {
  const written = Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, typeof value === 'number' ? `${value}` : value])
  )
  const parameters = readParameters(endpoint.params, {}, written, { today: '2026-06-05' as IsoDate })
  const more = { body: endpoint.body?.read(body), caller: new Set() }
  const answer = endpoint.answer({ now: requestTime } as never, parameters as never, more as never)
  return textSerializerOf(endpoint.response)(answer)
}

const validators = new Map<Endpoint, readonly ValidateFunction[]>()

function validatorsOf(endpoint: Endpoint): readonly ValidateFunction[] {
  const known = validators.get(endpoint)
  if (known) return known
  const method = endpoint.body ? 'post' : 'get'
  const place = `/paths/${endpoint.path.replaceAll('/', '~1')}/${method}/responses/200/content/application~1json/schema`
  const made = [ajv.compile(JSON.parse(JSON.stringify(endpoint.response)))]
  if (contract) made.push(ajv.compile({ $ref: `contract#${place}` }))
  validators.set(endpoint, made)
  return made
}

/** The parsed answer of a calculator, which must fit its declared schema and the contract's where that is at hand. */
export function ask<Answer>(endpoint: Endpoint, request: Request): Answer {
  const answer = JSON.parse(answerText(endpoint, request))
  for (const validate of validatorsOf(endpoint)) {
    if (!validate(answer)) throw new Error(`${endpoint.id}: ${ajv.errorsText(validate.errors)}`)
  }
  return answer
}

/** The refusal of a request. */
export function refusalOf(endpoint: Endpoint, request: Request): { code: string; status: number; message: string } {
  try {
    answerText(endpoint, request)
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, status: error.status, message: error.message }
    throw error
  }
  throw new Error(`${endpoint.id} answered what it should refuse`)
}
