import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/accounts.ts'
import { answerBytes } from '../../api/answer.ts'
import { byDeadline, type Deadline, deadlineIn } from '../../api/deadline.ts'
import { type Endpoint, isAnsweredInPlace, isKept } from '../../api/endpoint.ts'
import type { Capabilities } from '../../api/inputs/account.ts'
import type { ServiceFacts } from '../../api/inputs/input.ts'
import { loadInputs } from '../../api/inputs/load.ts'
import { andThen, endingWith, type MaybePromise } from '../../api/maybe-promise.ts'
import { ignoredNames, queryNames } from '../../api/parameter-names.ts'
import { readParameters } from '../../api/params.ts'
import { readRequest } from '../../api/request-params.ts'
import { mediaTypes, tableParameters, type WantedForm, wantedForm } from '../../api/rows/table-parameters.ts'
import type { After } from '../../facts/bounded-wait.ts'
import { addedRenames } from '../../market/renames.ts'
import type { Engine } from '../../workers/engine.ts'
import type { Answers, Served } from '../answers/answers.ts'
import { fromCurrentChains } from '../answers/current-chains.ts'
import { type AnswerPayload, asBuffer } from '../answers/kept-answer.ts'
import { type FoundAnswer, payloadFor, type SendOptions, sendAnswer } from '../answers/send.ts'
import { type AuthorizeOptions, checkCaller, grantOf, onceChecked, refund } from './authorize.ts'
import { preferredType } from './content-negotiation.ts'
import { exchangeOf, pathOf } from './exchange.ts'
import {
  contentLines,
  deprecationLines,
  type HeaderLines,
  headerLine,
  ignoredLines,
  rateLines,
  setHeaders
} from './headers.ts'
import type { MarketView, RequestContext } from './host.ts'
import { readJson } from './json-body.ts'
import type { KeptAnswerRoute } from './kept-answer-route.ts'
import { asApiError } from './refusal.ts'
import { keyHeaders } from './request-key.ts'

export interface MountOptions extends SendOptions, AuthorizeOptions {
  readonly endpoints: readonly Endpoint[]
  readonly engine: Engine
  readonly answers: Answers
  /** Longest time that a request waits for its response, milliseconds. */
  readonly requestDeadline: number
  readonly after: After
  /** Clock of that wait, milliseconds: it runs on evenly when the wall clock is set. */
  readonly steadyNow: () => number
  readonly capabilitiesOf: (account: Account) => Capabilities
}

interface Read {
  readonly endpoint: Endpoint
  readonly context: RequestContext
  readonly deadline: Deadline
  readonly params: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly wanted: WantedForm
  /** Headers about ignored parameters and about a deprecated endpoint. */
  readonly noted: HeaderLines
}

export function mountEndpoints(
  app: FastifyInstance,
  keptRoute: KeptAnswerRoute | undefined,
  options: MountOptions
): void {
  for (const endpoint of options.endpoints) {
    const handler = handlerOf(endpoint, keptRoute, options)
    for (const url of routesOf(endpoint)) {
      if (endpoint.body === undefined) {
        app.get(url, (request, reply) => {
          return andThen(checkCaller(endpoint, request, options), () => handler(request, reply))
        })
      } else {
        // This check comes before the body is read: without a valid key nobody can make the service hold a body in
        // memory.
        const onRequest = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
          onceChecked(checkCaller(endpoint, request, options), done)
        }
        app.post(url, { onRequest }, handler)
      }
    }
  }
}

export function routesOf({ path, aliases }: Endpoint): readonly string[] {
  return [path, ...aliases].map((declared) => declared.replace(/\{(\w+)\}/g, ':$1'))
}

/**
 * Makes the function that parses and answers requests to an endpoint. A cached response is sent at once, without a
 * promise; any other must be ready before the deadline.
 */
function handlerOf(endpoint: Endpoint, keptRoute: KeptAnswerRoute | undefined, options: MountOptions) {
  const { access, host, quota, requestDeadline, after, steadyNow } = options
  const ofForm = tableParameters(endpoint)
  const types = mediaTypes(endpoint)
  const deprecated = endpoint.deprecated === undefined ? '' : deprecationLines(endpoint.deprecated)
  const names = queryNames({ ...endpoint.params, ...ofForm, ...host.parameters })
  return (request: FastifyRequest, reply: FastifyReply): MaybePromise<FastifyReply | undefined> => {
    const { account } = request
    const refuse = (error: unknown): never => {
      const { status } = asApiError(error)
      if (account !== undefined && (status === 403 || status >= 500)) refund(account, quota)
      throw error
    }
    try {
      const deadline = deadlineIn(requestDeadline, steadyNow)
      const context = host.context(endpoint, request.query as never)
      const noted = deprecated + ignoredLines(ignoredNames(request.query as never, names))
      setHeaders(reply, noted)
      const params = readRequest(endpoint, request.params as never, request.query as never, context)
      const asked = readParameters(ofForm, {}, request.query as never, context)
      const wanted = formOf(endpoint, params, asked, preferredType(types, request.headers.accept))
      const body = endpoint.body?.read(readJson(request, endpoint.body))
      endpoint.check(params as never)
      const refusal =
        account?.page !== undefined && host.pageRefusal !== undefined
          ? host.pageRefusal(account, endpoint, params, context)
          : access.gateRefusal(account, endpoint, params, context)
      if (refusal !== undefined) throw refusal
      // The fast path has JSON alone, and leaves requests that prefer another form to this one. Endpoints with forms of
      // their own offer other media types than it looks at.
      const isJson = wanted.form === undefined && endpoint.forms.length === 0
      if (keptRoute !== undefined && isKept(endpoint) && isJson && request.originalUrl === request.url) {
        const { url, routeOptions } = request
        const { apiKey } = request.query as { readonly apiKey?: unknown }
        const route = routeOptions.url!
        const { today } = context
        const renames = addedRenames()
        keptRoute.remember(url, apiKey, { endpoint, route, path: pathOf(url), params, noted, today, renames })
      }
      const read = { endpoint, context, deadline, params, body, wanted, noted }
      const found = andThen(context.market(endpoint, params, deadline), (view) => {
        const find = () => findAnswer(read, view, request, reply, options)
        return view.end === undefined ? find() : endingWith(view.end, find)
      })
      if (!(found instanceof Promise)) return found()
      return byDeadline(found, deadline, after).then((send) => send(), refuse)
    } catch (error) {
      return refuse(error)
    }
  }
}

/**
 * Finds or computes the response to a request. Returns a function that sends it. The caller must not call it after it
 * has refused the request as late.
 */
function findAnswer(
  { endpoint, context, deadline, params, body, wanted: { form, rows }, noted }: Read,
  { source, headers }: MarketView,
  request: FastifyRequest,
  reply: FastifyReply,
  options: MountOptions
): MaybePromise<() => FastifyReply | undefined> {
  const { answers, engine } = options
  const { account } = request
  const { asking: granted, entitlements: caller } = grantOf(account, endpoint, source, options)
  const asking = { ...granted, deadline }
  if (isKept(endpoint)) {
    const { zone, shape } = context
    const wanted = { zone, shape, form, rows, isRated: true }
    const sending = (served: Served) => {
      const found = { served, asking, lines: headers(served.chains) + noted }
      return andThen(
        payloadFor(request.headers, served.answer),
        (payload) => () => send(found, payload, request, reply, options)
      )
    }
    const ready = answers.ready(endpoint, params, asking, caller, wanted)
    return ready === undefined ? answers.load(endpoint, params, asking, caller, wanted).then(sending) : sending(ready)
  }
  const sendBytes = (bytes: string | Buffer) => {
    const vary = endpoint.formWanted === undefined ? `accept, origin, ${keyHeaders}` : `origin, ${keyHeaders}`
    let lines = contentLines(account, form) + headerLine('vary', vary)
    lines += headerLine('x-data-source', options.dataSource([])) + headers([])
    if (account !== undefined) lines += rateLines(account, request.used, options.quota, options.wallNow())
    setHeaders(reply, lines)
    return reply.send(bytes)
  }
  // A response that changes with every request is computed on this thread if it is cheap, else by the engine.
  return fromCurrentChains(async () => {
    const { inputs } = await loadInputs(endpoint, params, asking, {
      ...(await factsOf(endpoint, request, options)),
      body
    })
    const { zone, shape } = context
    const task = { params, inputs, body, caller, zone, shape, form, rows }
    if (isAnsweredInPlace(endpoint)) {
      const bytes = asBuffer(answerBytes(endpoint, task))
      return () => sendBytes(bytes)
    }
    const bytes = await engine.run('answerEndpoint', { endpoint: endpoint.id, ...task }, deadline)
    return () => sendBytes(asBuffer(bytes))
  })
}

function formOf(
  endpoint: Endpoint,
  params: Read['params'],
  asked: Read['params'],
  accepted: string | undefined
): WantedForm {
  const { formWanted } = endpoint
  if (formWanted !== undefined) return { form: formWanted(params as never), rows: undefined }
  return wantedForm(endpoint, asked, accepted)
}

/** Facts about the service and the caller, for responses that describe them rather than the market. */
async function factsOf(
  { needs }: Endpoint,
  { account }: FastifyRequest,
  { quota, wallNow, capabilitiesOf }: MountOptions
): Promise<ServiceFacts> {
  const view = account && {
    userId: account.userId,
    email: account.email,
    keyHint: account.keyHint,
    plan: account.plan.id,
    dailyLimit: account.plan.dailyLimit,
    usedToday: quota.used(account),
    resetsAt: quota.resetsAt(),
    usageByDay: needs.includes('account') ? await quota.byDay(account) : [],
    capabilities: () => capabilitiesOf(account)
  }
  return { now: wallNow(), account: view }
}

function send(
  found: FoundAnswer,
  payload: AnswerPayload,
  request: FastifyRequest,
  reply: FastifyReply,
  options: MountOptions
): undefined {
  reply.hijack()
  sendAnswer(exchangeOf(request, reply.raw, options.trustProxy), found, payload, options)
}
