import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify'

// Some programs want answers in a form of their own. Such a route adds no data: it asks a route of the API with the key of
// the caller, so that key, plan and quota are checked where they always are.

/** A refusal of a route of the API, as it was sent. */
export class RouteRefusal extends Error {
  readonly status: number
  readonly code: string
  readonly body: object
  constructor(status: number, body: { readonly error: string; readonly message: string }) {
    super(body.message)
    this.status = status
    this.code = body.error
    this.body = body
  }
}

export interface AskedRoute {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Media type that the answer shall have; default JSON. */
  readonly accept?: string
}

/** Asks a route of the API on behalf of a caller and returns the text of its answer; throws `RouteRefusal`. */
export type AskText = (asked: AskedRoute) => Promise<string>

/** Asks for JSON. */
export interface Ask {
  (path: string, query: Readonly<Record<string, string>>): Promise<unknown>
  /** Whether the caller sent a key in the address, which some routes do not take. */
  readonly isKeyInAddress: boolean
}

/** Headers that bring the key of a program, and the address that it came from. */
export const programHeaders = ['x-api-key', 'authorization', 'host', 'x-forwarded-for', 'x-forwarded-proto'] as const
/** Those of a browser too, which shows its session by a cookie. */
const callerHeaders = [...programHeaders, 'cookie', 'origin', 'sec-fetch-site'] as const

/** Asks a route in process as the caller of a request, of whose headers `passedOn` are sent. */
export function injectAs(
  { headers, socket }: FastifyRequest,
  passedOn: readonly string[],
  app: FastifyInstance,
  asked: InjectOptions
) {
  const sent = Object.fromEntries(passedOn.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])))
  return app.inject({ ...asked, headers: { ...sent, ...asked.headers }, remoteAddress: socket.remoteAddress ?? '' })
}

const passedBack = ['retry-after', 'x-data-stale', 'x-data-source']

/** Asks for a caller. What the answers say about quota and age of the data is said in the reply too. */
export function askingTextFor(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): AskText {
  const { apiKey } = request.query as { readonly apiKey?: unknown }
  return async ({ path, query, accept = 'application/json' }) => {
    const parts = new URLSearchParams({ ...query, ...(typeof apiKey === 'string' && { apiKey }) })
    const answer = await injectAs(request, callerHeaders, app, { url: `${path}?${parts}`, headers: { accept } })
    for (const name of [...passedBack, ...Object.keys(answer.headers).filter((one) => one.includes('ratelimit'))]) {
      const value = answer.headers[name]
      if (value !== undefined) reply.header(name, value)
    }
    if (answer.statusCode !== 200) throw new RouteRefusal(answer.statusCode, answer.json())
    return answer.body
  }
}

export function askingFor(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Ask {
  const ask = askingTextFor(app, request, reply)
  const isKeyInAddress = (request.query as { readonly apiKey?: unknown }).apiKey !== undefined
  const asking = async (path: string, query: Readonly<Record<string, string>>) => JSON.parse(await ask({ path, query }))
  return Object.assign(asking, { isKeyInAddress })
}
