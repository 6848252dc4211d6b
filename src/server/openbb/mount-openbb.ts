import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { lazily } from '../../market/memoize.ts'
import { askingFor, askingTextFor, RouteRefusal } from '../http/ask-api.ts'
import type { ChartFigure } from '../udf/udf-symbols.ts'
import { openBbApps } from './apps.ts'
import { acceptFor, widgetBody } from './contents.ts'
import { symbolChoices } from './widget-parameters.ts'
import { declaredWidgets, widgetsById } from './widgets.ts'

export interface OpenBbOptions {
  readonly endpoints: readonly Endpoint[]
  /** Figures over time, with their units. */
  readonly figures: readonly ChartFigure[]
}

/**
 * Adds what OpenBB Workspace asks of a source of widgets: `/widgets.json`, `/apps.json`, and below `/openbb` an address for
 * each widget, since that program sends all parameters in the query. The lists need no key.
 */
export function mountOpenBb(app: FastifyInstance, { endpoints, figures }: OpenBbOptions): void {
  const widgets = lazily(() => new Map(declaredWidgets(endpoints, figures).map((one) => [one.name, one])))
  const lists = {
    '/widgets.json': lazily(() => JSON.stringify(widgetsById([...widgets().values()]))),
    '/apps.json': lazily(() => JSON.stringify(openBbApps([...widgets().values()])))
  }
  for (const [path, list] of Object.entries(lists)) {
    app.get(path, (_request, reply) => reply.type(JSON_TYPE).header('cache-control', 'no-cache').send(list()))
  }

  app.get(`/${symbolChoices}`, async (request, reply) => {
    const ask = askingFor(app, request, reply)
    return passingOn(reply, async () => {
      const { tickers } = (await ask('/v1/tickers', {})) as { readonly tickers: readonly string[] }
      return tickers.map((ticker) => ({ label: ticker, value: ticker }))
    })
  })

  app.get('/openbb/:widget', async (request, reply) => {
    const { widget: name } = request.params as { readonly widget: string }
    const found = widgets().get(name)
    if (found === undefined)
      throw apiError('not_found', `there is no widget ${JSON.stringify(name.slice(0, 60))}: /widgets.json lists them`)
    const { endpoint, content } = found
    const ask = askingTextFor(app, request, reply)
    const asked = addressOf(endpoint, request.query as Query)
    return passingOn(reply, async () => {
      const text = await ask({ ...asked, accept: acceptFor(content) })
      return widgetBody(content, text, endpoint.response as never)
    })
  })
}

const JSON_TYPE = 'application/json; charset=utf-8'

type Query = Readonly<Record<string, string | readonly string[] | undefined>>

/** The address of an endpoint with the parameters of a widget. What the user left empty is left out. */
function addressOf(endpoint: Endpoint, query: Query) {
  let path = endpoint.path
  const others: Record<string, string> = {}
  for (const [name, given] of Object.entries(query)) {
    if (name === 'apiKey' || given === undefined || given === '') continue
    const text = typeof given === 'string' ? given : given.join()
    if (endpoint.params[name]?.in !== 'path') others[name] = text
    else path = path.replace(`{${name}}`, encodeURIComponent(text))
  }
  const [missing] = /\{(\w+)\}/.exec(path) ?? []
  if (missing !== undefined)
    throw apiError('invalid_parameter', `${missing.slice(1, -1)} must be a ticker; it is missing`)
  return { path, query: others }
}

interface Reply {
  code(status: number): Reply
  type(type: string): Reply
  send(payload: unknown): unknown
}

/** Sends what `make` returns, or the refusal of the route of the API that it asked. */
async function passingOn(reply: Reply, make: () => Promise<unknown>): Promise<unknown> {
  try {
    return reply.type(JSON_TYPE).send(JSON.stringify(await make()))
  } catch (error) {
    if (!(error instanceof RouteRefusal)) throw error
    return reply.code(error.status).type(JSON_TYPE).send(error.body)
  }
}
