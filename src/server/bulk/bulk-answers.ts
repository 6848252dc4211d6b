import type { Account, Subscriber } from '../../accounts/accounts.ts'
import { byDeadline, deadlineIn } from '../../api/deadline.ts'
import { apiError } from '../../api/error.ts'
import { loadInputs } from '../../api/inputs/load.ts'
import { ignoredNames, queryNames } from '../../api/parameter-names.ts'
import { readParameters } from '../../api/params.ts'
import { readRequest } from '../../api/request-params.ts'
import { easternDateTime } from '../../market/eastern.ts'
import { fromCurrentChains } from '../answers/current-chains.ts'
import { grantOf } from '../http/authorize.ts'
import type { Host } from '../http/host.ts'
import type { MountOptions } from '../http/mount-endpoints.ts'
import { type BulkGroup, momentText } from './bulk-groups.ts'
import type { BulkRequest } from './bulk-request.ts'

/** Answers about now and about past moments, under the plans and gates of each. */
export interface BulkHosts extends MountOptions {
  readonly past: Host
}

/** The user for whom answers are made, with what the plan allows. */
export type BulkCaller = Pick<Account, 'userId'> & Subscriber

export interface BulkQuestion {
  readonly request: BulkRequest
  readonly account: BulkCaller
  /** Name of the form that rows are written in. */
  readonly format: string
}

/** Throws invalid_params for parameters that the operation does not have or cannot read. */
export function checkParams(asked: BulkQuestion, group: BulkGroup, hosts: BulkHosts): void {
  const { endpoint, query } = asked.request
  const { params: own } = endpoint
  const inQuery = Object.fromEntries(Object.entries(own).filter(([, { in: place }]) => place === 'query'))
  try {
    const [unknown] = ignoredNames(query, queryNames(inQuery))
    if (unknown !== undefined) throw new Error(`${endpoint.id} has no parameter ${unknown.slice(0, 40)}`)
    readParameters(inQuery, {}, query, hostOf(group, hosts).context(endpoint, queryOf(asked, group)))
  } catch (error) {
    throw apiError('invalid_params', (error as Error).message, { parameter: 'params' })
  }
}

/**
 * Computes the rows of a group, written in the form of the response. Throws the error that the plain request would be
 * refused with. The answer is not kept: one by one, they would push out what others ask for.
 */
export async function bulkPart(asked: BulkQuestion, group: BulkGroup, hosts: BulkHosts): Promise<Uint8Array> {
  const { request, account, format } = asked
  const { endpoint, subject, shape } = request
  const { access, engine, requestDeadline, steadyNow, after } = hosts
  const deadline = deadlineIn(requestDeadline, steadyNow)
  const query = queryOf(asked, group)
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

function queryOf({ request: { query } }: BulkQuestion, { at }: BulkGroup) {
  return at === undefined ? query : { ...query, at: easternDateTime(at) }
}
