import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { closeServer } from './close-server.ts'

/** An answer of a vendor; `cut`: its connection ends after so many bytes of the body. */
export interface VendorAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly cut?: number
}

/** How a vendor counts: so many requests from the first one of a stretch on. */
export interface VendorLimit {
  readonly requests: number
  /** Milliseconds. */
  readonly every: number
  /** Headers that state the remaining requests, sent with every answer and with status 429. */
  readonly headers: (count: { readonly left: number; readonly endsAt: number }) => Readonly<Record<string, string>>
}

export interface VendorRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  /** Body of the request; empty for a GET. */
  readonly sent: string
}

export type VendorConduct = (request: VendorRequest) => VendorAnswer | Promise<VendorAnswer>

/** A REST interface on this machine with the manners of a vendor. It ends with the test that started it. */
export class RestVendor {
  readonly asked: VendorRequest[] = []
  /** Requests that came when there was no room for them. */
  beyond = 0
  url = ''
  readonly #limit: VendorLimit | undefined
  readonly #answer: VendorConduct
  #stretch = { endsAt: 0, left: 0 }

  private constructor(answer: VendorConduct, limit: VendorLimit | undefined) {
    this.#answer = answer
    this.#limit = limit
  }

  static async start(answer: VendorConduct, limit?: VendorLimit): Promise<RestVendor> {
    const vendor = new RestVendor(answer, limit)
    const server = createServer(async (incoming, response) => {
      const { method = 'GET', url = '', headers } = incoming
      const { pathname, searchParams } = new URL(url, 'http://vendor')
      const sent = String(Buffer.concat(await incoming.toArray()))
      const request = { method, path: pathname, query: Object.fromEntries(searchParams), headers, sent }
      vendor.asked.push(request)
      send(response, await vendor.#judged(request))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => closeServer(server))
    vendor.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return vendor
  }

  async #judged(request: VendorRequest): Promise<VendorAnswer> {
    if (this.#limit === undefined) return this.#answer(request)
    const { requests, every, headers: headersOf } = this.#limit
    const now = Date.now()
    if (now >= this.#stretch.endsAt) this.#stretch = { endsAt: now + every, left: requests }
    const isBeyond = this.#stretch.left === 0
    if (isBeyond) this.beyond++
    else this.#stretch.left--
    const headers = headersOf(this.#stretch)
    if (isBeyond) return { status: 429, headers }
    const answer = await this.#answer(request)
    return { ...answer, headers: { ...headers, ...answer.headers } }
  }
}

function send(response: ServerResponse, { status = 200, headers = {}, body = '', cut }: VendorAnswer): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  if (cut === undefined) {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
    return
  }
  response.writeHead(status, { 'content-length': Buffer.byteLength(text), ...headers })
  response.write(text.slice(0, cut), () => response.destroy())
}
