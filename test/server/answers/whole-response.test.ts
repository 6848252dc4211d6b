import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { KEEP_ALIVE_TIMEOUT, WholeResponse } from '../../../src/server/answers/whole-response.ts'

const small = Buffer.from('{"small":true}')
const large = Buffer.alloc(4_000_000, 'x')

describe('a response sent in one piece', () => {
  let server: Server<typeof import('node:http').IncomingMessage, typeof WholeResponse>
  let port: number
  /** How each request was answered. */
  let whole: boolean[]

  beforeEach(async () => {
    whole = []
    server = createServer(
      { keepAliveTimeout: KEEP_ALIVE_TIMEOUT, ServerResponse: WholeResponse },
      (request, response) => {
        const body = request.url === '/large' ? large : small
        whole.push(response.takesWhole)
        if (response.takesWhole) response.sendWhole(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n`, body)
        else response.writeHead(200, ['content-length', `${body.length}`]).end(body)
      }
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  const open = (): Socket => connect(port, '127.0.0.1')
  const line = (path: string, ...headers: string[]) =>
    [`GET ${path} HTTP/1.1`, 'host: x', ...headers, '', ''].join('\r\n')

  test('has the headers of any other', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/`)
    expect(await answer.text()).toBe(`${small}`)
    expect(answer.headers.get('connection')).toBe('keep-alive')
    expect(answer.headers.get('keep-alive')).toBe('timeout=72')
    expect(Math.abs(Date.parse(answer.headers.get('date')!) - Date.now())).toBeLessThan(2000)
    expect(whole).toEqual([true])
  })

  test('leaves the connection to the next request, one after the other', async () => {
    const socket = open()
    const heard = received(socket)
    for (let k = 0; k < 3; k++) {
      socket.write(line('/'))
      await heard.until((sofar) => sofar.split(`${small}`).length === k + 2)
    }
    expect(whole).toEqual([true, true, true])
    socket.destroy()
  })

  test('keeps the order of requests that came in one packet', async () => {
    const socket = open()
    const heard = received(socket)
    socket.write(line('/') + line('/large') + line('/', 'connection: close'))
    const all = await heard.whole
    const answers = all.split('HTTP/1.1 200 OK\r\n').slice(1)
    expect(answers.map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4).length)).toEqual([
      small.length,
      large.length,
      small.length
    ])
    expect(answers[2]).toMatch(/connection: close/i)
    expect(whole.at(-1)).toBe(false)
  })

  test('is not how a connection is answered that ends with it', async () => {
    for (const request of [line('/', 'connection: close'), 'GET / HTTP/1.0\r\n\r\n']) {
      const socket = open()
      socket.write(request)
      expect(await text(socket)).toMatch(/connection: close/i)
    }
    expect(whole).toEqual([false, false])
  })

  test('counts as under way until a reader that stood still has taken the last byte, or has gone', async () => {
    for (const goes of [false, true]) {
      const events: string[] = []
      const closed = new Promise<void>((resolve) => {
        server.once('request', (_request, response) => {
          response.once('finish', () => events.push('finish'))
          response.once('close', () => resolve(void events.push('close')))
        })
      })
      const socket = open()
      socket.on('error', () => {})
      socket.write(line('/large'))
      await new Promise((resolve) => socket.once('readable', resolve))
      expect(events).toEqual([])
      if (goes) socket.resetAndDestroy()
      else socket.resume()
      await closed
      expect(events).toEqual(goes ? ['close'] : ['finish', 'close'])
      socket.destroy()
    }
  })
})

/** What a socket brings, as text. */
function received(socket: Socket) {
  let sofar = ''
  let onMore = () => {}
  socket.setEncoding('latin1')
  socket.on('data', (piece) => {
    sofar += piece
    onMore()
  })
  return {
    whole: new Promise<string>((resolve) => socket.once('end', () => resolve(sofar))),
    until: (enough: (sofar: string) => boolean) =>
      new Promise<void>((resolve) => {
        onMore = () => enough(sofar) && resolve()
        onMore()
      })
  }
}
