import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { closeServer } from './close-server.ts'

/** Response of the scripted exchange to one request for one symbol. */
export type Conduct = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

export interface SourceServer {
  readonly url: string
  /** By the name in the address: SPY, _SPX. Without one the answer is 404. */
  readonly conducts: Map<string, Conduct>
  /** When each symbol was asked for, milliseconds of the monotonic clock. */
  readonly asked: (name: string) => readonly number[]
  close(): Promise<void>
}

/** An exchange on this machine whose behaviour a test writes, symbol by symbol. */
export async function startSource(): Promise<SourceServer> {
  const conducts = new Map<string, Conduct>()
  const times = new Map<string, number[]>()
  const server = createServer((request, response) => {
    const name = /^\/quotes\/(\w+)\.json$/.exec(request.url ?? '')?.[1] ?? ''
    times.set(name, [...(times.get(name) ?? []), performance.now()])
    const conduct = conducts.get(name) ?? absent
    conduct(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const asked = (name: string) => times.get(name) ?? []
  return { url: `http://127.0.0.1:${port}/quotes`, conducts, asked, close: () => closeServer(server) }
}

/** An answer of any status. */
export function says(status: number, text = '', headers: Readonly<Record<string, string>> = {}): Conduct {
  return (_request, response) => void response.writeHead(status, headers).end(text)
}

export const absent = says(404)
export const payload = (text: string): Conduct => says(200, text, { 'content-type': 'application/json' })

/** A payload in ten parts with pauses in between. */
export function trickle(text: string, milliseconds: number): Conduct {
  return async (_request, response) => {
    const part = Math.ceil(text.length / 10)
    for (let start = 0; start < text.length; start += part) {
      response.write(text.slice(start, start + part))
      await pause(milliseconds / 10)
    }
    response.end()
  }
}

/** A payload with a validator: it is sent once, and later answered as unchanged. */
export function validated(text: string, etag: string): Conduct {
  return (request, response) => {
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
    else response.writeHead(200, { etag }).end(text)
  }
}

/** A connection that ends in the middle of the body. */
export function brokenOff(text: string): Conduct {
  return (_request, response) => {
    response.writeHead(200, { 'content-length': text.length }).write(text.slice(0, text.length / 2))
    setTimeout(() => response.destroy(), 50)
  }
}

/** A connection that is closed without a word, as by a machine that is down. */
export const hangsUp: Conduct = (request) => void request.socket.destroy()
/** A request that is taken and never answered. */
export const silent: Conduct = () => {}
