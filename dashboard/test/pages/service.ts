import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const pages = join(import.meta.dirname, '../../../dist/dashboard')

/** The content policy of the real service. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json'
}

// biome-ignore lint/suspicious/noExplicitAny: recorded answers, changed by tests at will
export type Json = any

export function recorded(name: string): Json {
  return JSON.parse(readFileSync(join(import.meta.dirname, `answers/${name}.json`), 'utf8'))
}

/** The recorded series that has the requested fields. */
function seriesOf(fields: string, every: string | null): string {
  if (every === '1d') return 'series-closes'
  if (fields.includes('pin_score')) return 'series-today'
  return fields.includes('net_vex') ? 'series-hedging' : 'series'
}

/** Recorded answers by path. */
const ANSWERS: readonly (readonly [path: RegExp, name: (url: URL) => string])[] = [
  [/^\/v1\/market\/session\//, () => 'session'],
  [/^\/v1\/exposure\/matrix\//, ({ searchParams }) => (searchParams.get('by') === 'time' ? 'map' : 'matrix')],
  [
    /^\/v1\/exposure\/profile\//,
    ({ searchParams }) => (searchParams.get('when') === null ? 'profile' : 'profile-moved')
  ],
  [/^\/v1\/exposure\/explain\//, ({ searchParams }) => `explain-${searchParams.get('metric')}`],
  [/^\/v1\/exposure\/([a-z-]+)\//, ({ pathname }) => pathname.split('/')[3]!],
  [/^\/v1\/bars\//, ({ searchParams }) => (searchParams.get('every') === '1d' ? 'bars-days' : 'bars')],
  [/^\/v1\/series\//, ({ searchParams }) => seriesOf(searchParams.get('fields') ?? '', searchParams.get('every'))],
  [/^\/v1\/flow\/zero-dte\/([a-z-]+)\//, ({ pathname }) => `today-${pathname.split('/')[4]}`],
  [/^\/v1\/flow\/hedge-flow\//, ({ searchParams }) => `hedge-flow-${searchParams.get('split')}`],
  [/^\/v1\/flow\/dealer-risk\//, () => 'dealer-risk'],
  [/^\/v1\/flow\/signals\/[A-Z]+\/summary$/, () => 'signals-summary'],
  [/^\/v1\/flow\/signals\//, () => 'signals'],
  [/^\/v1\/flow\/options\/leaderboard$/, () => 'leaders'],
  [/^\/v1\/flow\/stocks\/leaderboard$/, () => 'stock-leaders'],
  [/^\/v1\/flow\/options\/outliers$/, () => 'outliers'],
  [/^\/v1\/flow\/options\/[A-Z]+\/recent$/, () => 'prints'],
  [/^\/v1\/flow\/options\/[A-Z]+\/blocks$/, () => 'blocks'],
  [/^\/v1\/flow\/options\/[A-Z]+\/(summary|cumulative)$/, ({ pathname }) => `tape-${pathname.split('/')[5]}`],
  [/^\/v1\/maxpain\//, () => 'maxpain'],
  [/^\/v1\/adv_volatility\//, () => 'surface'],
  [
    /^\/v1\/volatility\/(skew-term|forecast|realized|spot-vol-correlation)\//,
    ({ pathname }) => pathname.split('/')[3]!
  ],
  [/^\/v1\/volatility\//, () => 'volatility'],
  [/^\/v1\/vrp\//, ({ pathname }) => (pathname.endsWith('/history') ? 'vrp-history' : 'vrp')],
  [/^\/v1\/liquidity\//, () => 'liquidity'],
  [/^\/v1\/dispersion/, () => 'dispersion'],
  [/^\/v1\/expected-move\//, () => 'expected-move'],
  [/^\/v1\/macro\/vix-state/, () => 'vix-state'],
  [/^\/optionquote\//, () => 'quotes'],
  [/^\/v1\/options\//, () => 'options'],
  [/^\/v1\/structures\/pnl$/, () => 'pnl'],
  [/^\/v1\/structures\/greeks$/, () => 'structure-greeks'],
  [/^\/v1\/pricing\/kelly/, () => 'kelly'],
  [/^\/v1\/screener\/fields/, () => 'screener-fields'],
  [/^\/v1\/screener$/, () => 'screener'],
  [/^\/v1\/earnings\/calendar/, () => 'calendar'],
  [/^\/v1\/earnings\//, ({ pathname }) => `report-${pathname.split('/')[3]}`],
  [/^\/v1\/strategies\//, ({ pathname }) => `signal-${pathname.split('/')[3]}`],
  [/^\/v1\/quality\//, () => 'quality'],
  [/^\/v1\/universe/, () => 'universe'],
  [/^\/v1\/(account|symbols)$/, ({ pathname }) => pathname.split('/')[2]!],
  [/^\/health$/, () => 'health'],
  [/^\/v1\/alerts$/, () => 'alerts'],
  [/^\/v1\/alerts\/events$/, () => 'alert-events'],
  [/^\/v1\/stream\/catalog$/, () => 'stream-catalog'],
  [/^\/v1\/admin\/users\/[^/]+\/keys$/, () => 'keys'],
  [/^\/v1\/admin\/(users|plans|bundles|audit)$/, ({ pathname }) => pathname.split('/')[3]!]
]

export interface ScriptedAnswer {
  readonly status?: number
  readonly body?: Json
  readonly headers?: Readonly<Record<string, string>>
  /** milliseconds before it is sent */
  readonly delay?: number
}

/** Changes an answer; undefined: the recorded one. */
export type Rule = (url: URL, asked: AskedOf) => ScriptedAnswer | undefined

interface AskedOf {
  readonly method: string
  readonly headers: IncomingMessage['headers']
  readonly isReplay: boolean
  readonly body: Json
}

export interface FakeService {
  readonly url: string
  /** Paths with their queries, in the order of arrival, but for what the service keeps of the reader. */
  readonly asked: string[]
  /** Rules of the running test, newest first. */
  readonly rules: Rule[]
  /** Sent with every answer. */
  readonly headers: Map<string, string>
  /** Files in place of the built ones, by their path. */
  readonly files: Map<string, string>
  close(): Promise<void>
}

export const KEY = 'gw_live_goodkey'

/** Serves the built pages with recorded answers, or with any state that a test asks for. */
export async function startService(): Promise<FakeService> {
  if (!existsSync(join(pages, 'index.html'))) throw new Error('dist/dashboard is not built: npm run build makes it')
  const [asked, rules]: [string[], Rule[]] = [[], []]
  const headers = new Map<string, string>()
  const files = new Map<string, string>()

  /** A rule that answers hides the request from those before it: what is refused is not kept. */
  function scriptedFor(url: URL, how: AskedOf): ScriptedAnswer {
    for (const rule of rules) {
      const scripted = rule(url, how)
      if (scripted !== undefined) return scripted
    }
    return usual(url, how.body)
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://service')
    const file = join(pages, url.pathname === '/' ? 'index.html' : url.pathname)
    if (request.method === 'GET' && existsSync(file)) {
      response.writeHead(200, { 'content-type': TYPES[extname(file)], 'content-security-policy': POLICY })
      response.end(files.get(url.pathname) ?? readFileSync(file))
      return
    }
    const body = await bodyOf(request)
    const isReplay = url.pathname.startsWith('/replay/')
    if (isReplay) url.pathname = url.pathname.slice('/replay'.length)
    if (!url.pathname.startsWith('/v1/me/')) asked.push(`${isReplay ? '/replay' : ''}${url.pathname}${url.search}`)
    const scripted = scriptedFor(url, { method: request.method!, headers: request.headers, isReplay, body })
    await new Promise((resolve) => setTimeout(resolve, scripted.delay ?? 0))
    const head = { 'content-type': 'application/json', 'x-data-source': 'synthetic', 'x-data-age': '0.4' }
    response.writeHead(scripted.status ?? 200, { ...head, ...Object.fromEntries(headers), ...scripted.headers })
    response.end(scripted.body === undefined ? '' : JSON.stringify(scripted.body))
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    headers,
    files,
    rules,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}

function usual(url: URL, body: Json): ScriptedAnswer {
  if (url.pathname === '/session')
    return body?.key === undefined || body.key === KEY
      ? { status: 204 }
      : { status: 401, body: { detail: 'Invalid API key' } }
  if (url.pathname === '/v1/stream/ticket')
    return refusal(403, 'tier_restricted', { current_plan: 'growth', required_plan: 'alpha' })
  // A reader who has been here before.
  if (url.pathname === '/v1/me/settings') return { body: { documents: [{ id: 'page', value: { steps: 'done' } }] } }
  if (/^\/v1\/me\/(layouts|watchlists)$/.test(url.pathname)) return { body: { documents: [] } }
  if (url.pathname.startsWith('/v1/me/'))
    return { body: { id: url.pathname.split('/')[4], value: body ?? { steps: 'done' } }, headers: { etag: 'W/"held"' } }
  if (url.pathname.startsWith('/v1/recorded/')) return { body: { sessions: [] } }
  const found = ANSWERS.find(([path]) => path.test(url.pathname))
  if (found === undefined) return refusal(404, 'not_found')
  const answer = recorded(found[1](url))
  const [, symbol] = /\/([A-Z]+)$/.exec(url.pathname) ?? []
  const model = url.searchParams.get('dealer_model')
  const chosen = ['scope', 'measure'].filter((each) => url.searchParams.has(each))
  const named = {
    ...(symbol !== undefined && { symbol }),
    ...(model !== null && { dealer_model: model }),
    ...Object.fromEntries(chosen.map((each) => [each, url.searchParams.get(each)]))
  }
  return { body: 'symbol' in answer ? { ...answer, ...named } : answer }
}

/** A refusal in the service's format. */
export function refusal(status: number, error: string, more: object = {}): ScriptedAnswer {
  return { status, body: { status: 'ERROR', error, message: error.replaceAll('_', ' '), ...more } }
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  let text = ''
  for await (const part of request) text += part
  return text === '' ? undefined : JSON.parse(text)
}
