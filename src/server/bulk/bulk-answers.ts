import { byDeadline, deadlineIn } from '../../api/deadline.ts'
import { type Endpoint, isKept } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { readsMarket } from '../../api/inputs/inputs.ts'
import { loadInputs } from '../../api/inputs/load.ts'
import { ignoredNames, queryNames } from '../../api/parameter-names.ts'
import { printable, readParameters } from '../../api/params.ts'
import { readRequest } from '../../api/request-params.ts'
import { type PartShape, partTable, rowNames } from '../../api/rows/table-part.ts'
import { easternDateTime } from '../../market/eastern.ts'
import { WHOLE_MARKET } from '../../stream/catalog/query.ts'
import { fromCurrentChains } from '../answers/current-chains.ts'
import { grantOf } from '../http/authorize.ts'
import { type BulkGroup, momentText } from './bulk-groups.ts'
import type { BulkBody } from './bulk-request.ts'
import { type BulkHosts, type BulkQuestion, type BulkSource, unknownName } from './bulk-source.ts'

/** Operations that are answered about the market, and not about their caller or from figures of the request. */
export const isBulkSource = (endpoint: Endpoint) => isKept(endpoint) && readsMarket(endpoint.needs)

/** An operation, the name of the parameter of its path if it has one, and the query that goes with each group. */
interface Answered {
  readonly endpoint: Endpoint
  readonly subject: string | undefined
  readonly query: Readonly<Record<string, string>>
}

/** The answers of an operation. Throws if a request names none that is served, or one that it cannot ask so. */
export function answerSource(body: BulkBody, { endpoints }: Pick<BulkHosts, 'endpoints'>): BulkSource {
  const endpoint = operationOf(body.operation, endpoints)
  if (body.moments !== 'now' && !endpoint.replay) throw apiError('not_replayed', `${endpoint.id} has no past moments`)
  const subject = Object.keys(endpoint.params).find((name) => endpoint.params[name].in === 'path')
  const symbols = body.symbols.list
  if ((subject === undefined) !== symbols.includes(WHOLE_MARKET) || (subject === undefined && symbols.length > 1)) {
    const wanted = subject === undefined ? `is about the whole market: list ${WHOLE_MARKET} alone` : 'wants tickers'
    throw apiError('invalid_symbols', `${endpoint.id} ${wanted}`, { parameter: 'symbols' })
  }
  const query = Object.fromEntries(Object.entries(body.params ?? {}).map(([name, value]) => [name, String(value)]))
  if (Object.hasOwn(query, 'at'))
    throw apiError('invalid_params', 'moments say when, not params.at', { parameter: 'at' })
  const answered = { endpoint, subject, query }
  return {
    plan: endpoint.plan,
    inStretches: false,
    rowNames: rowNames(endpoint),
    table(shape) {
      checkShape(endpoint, shape)
      return partTable(endpoint, shape)
    },
    check: (group, hosts) => checkParams(answered, group, hosts),
    part: (asked, group, hosts) => answerPart(answered, asked, group, hosts)
  }
}

function operationOf(named: string | undefined, endpoints: readonly Endpoint[]): Endpoint {
  if (named === undefined) {
    throw apiError('invalid_operation', 'source answers wants an operation', { parameter: 'operation' })
  }
  const offered = endpoints.filter(isBulkSource)
  const found = offered.find(({ id, path, aliases }) => [id, path, ...aliases].includes(named))
  if (found !== undefined) return found
  const names = offered.map(({ id }) => id)
  throw unknownName('invalid_operation', 'operation', named, names)
}

function checkShape(endpoint: Endpoint, shape: PartShape): void {
  const { rows } = shape
  const names = rowNames(endpoint)
  if (rows !== undefined && !names.includes(rows)) {
    const choices = names.length === 0 ? 'null: the answer has no arrays' : `null or one of ${names.join(', ')}`
    throw apiError('invalid_rows', `rows must be ${choices}; it reads '${printable(rows)}'`, { parameter: 'rows' })
  }
  const columns = partTable(endpoint, { ...shape, fields: undefined }).columns.map(({ name }) => name)
  const wrong = shape.fields?.find((field) => !columns.includes(field))
  if (wrong !== undefined) throw unknownName('invalid_fields', 'fields', wrong, columns)
}

/** Throws invalid_params for parameters that the operation does not have or cannot read. */
function checkParams({ endpoint, query }: Answered, group: BulkGroup, hosts: BulkHosts): void {
  const { params: own } = endpoint
  const inQuery = Object.fromEntries(Object.entries(own).filter(([, { in: place }]) => place === 'query'))
  try {
    const [unknown] = ignoredNames(query, queryNames(inQuery))
    if (unknown !== undefined) throw new Error(`${endpoint.id} has no parameter ${unknown.slice(0, 40)}`)
    readParameters(inQuery, {}, query, hostOf(group, hosts).context(endpoint, queryAt(query, group)))
  } catch (error) {
    throw apiError('invalid_params', (error as Error).message, { parameter: 'params' })
  }
}

/** Computes an answer. It is not kept: one by one, answers in bulk would push out what others ask for. */
async function answerPart(
  { endpoint, subject, query: asGiven }: Answered,
  { request: { shape }, account, format }: BulkQuestion,
  group: BulkGroup,
  hosts: BulkHosts
): Promise<Uint8Array> {
  const { access, engine, requestDeadline, steadyNow, after } = hosts
  const deadline = deadlineIn(requestDeadline, steadyNow)
  const query = queryAt(asGiven, group)
  const context = hostOf(group, hosts).context(endpoint, query)
  const inPath = subject === undefined ? {} : { [subject]: group.symbol }
  const params = readRequest(endpoint, inPath, query, context)
  endpoint.check(params as never)
  const refusal = access.gateRefusal(account, endpoint, params, context)
  if (refusal !== undefined) throw refusal
  const answered = async () => {
    const { source, end } = await context.market(endpoint, params, deadline)
    try {
      const { asking, entitlements: caller } = grantOf(account, endpoint, source, hosts)
      return await fromCurrentChains(async () => {
        const { inputs } = await loadInputs(endpoint, params, { ...asking, mayBePart: false, deadline })
        const part = { ...shape, format, symbol: group.symbol, at: momentText(group) }
        const task = { endpoint: endpoint.id, params, inputs, body: undefined, caller, part }
        return await engine.run('answerEndpoint', task, deadline)
      })
    } finally {
      end?.()
    }
  }
  return byDeadline(answered(), deadline, after)
}

const hostOf = ({ at }: BulkGroup, { host, past }: BulkHosts) => (at === undefined ? host : past)

const queryAt = (query: Answered['query'], { at }: BulkGroup) =>
  at === undefined ? query : { ...query, at: easternDateTime(at) }
