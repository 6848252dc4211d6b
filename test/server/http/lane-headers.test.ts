import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { laneHeaders } from '../../../src/server/http/lane-headers.ts'

const names = [
  'origin',
  'x-api-key',
  'if-none-match',
  'content-length',
  'accept-encoding',
  'x-forwarded-for',
  'x-forwarded-proto',
  'transfer-encoding'
] as const

/** What Node and we make of the headers of one request. */
async function read(lines: readonly string[]) {
  let read: { readonly ours: IncomingHttpHeaders | undefined; readonly nodes: IncomingHttpHeaders } | undefined
  const server = createServer((request, response) => {
    read = { ours: laneHeaders(request.rawHeaders), nodes: request.headers }
    response.end()
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(['GET / HTTP/1.1', 'Host: x', 'Connection: close', ...lines, '', ''].join('\r\n'))
  await text(socket)
  return read!
}

const only = (headers: IncomingHttpHeaders) => Object.fromEntries(names.map((name) => [name, headers[name]]))

describe('the headers that a kept answer rests on', () => {
  test.each([
    { lines: [] },
    { lines: ['X-Api-Key: one', 'Accept: */*'] },
    { lines: ['x-api-key:'] },
    { lines: ['X-API-KEY:  spaces around  ', 'Origin: https://a.example', 'ACCEPT-encoding: gzip, br'] },
    { lines: ['If-None-Match: W/"a", "b"', 'Content-Length: 0', 'user-agent: x', 'accept-charset-: y'] },
    {
      lines: [
        'X-Forwarded-For: 1.1.1.1, 2.2.2.2',
        'X-Forwarded-Proto: https',
        'Transfer-Encoding: chunked',
        '',
        '0',
        ''
      ]
    },
    { lines: ['Accept: a', 'Accept: b', 'x-api-keys: more', 'origins: c', 'x-api-kez: d'] }
  ])('are what Node reads: $lines', async ({ lines }) => {
    const { ours, nodes } = await read(lines)
    expect(only(ours!)).toEqual(only(nodes))
  })

  test.each([
    { lines: ['x-api-key: a', 'X-Api-Key: a'] },
    { lines: ['if-none-match: "a"', 'if-none-match: "b"'] },
    { lines: ['x-forwarded-for: a', 'X-Forwarded-For: b'] },
    { lines: ['Cookie: gw_session=a'] },
    { lines: ['X-Embed-Token: a', 'x-api-key: a'] }
  ])('are left to Node where one came twice or the caller is known otherwise: $lines', async ({ lines }) => {
    expect((await read(lines)).ours).toBeUndefined()
  })
})
