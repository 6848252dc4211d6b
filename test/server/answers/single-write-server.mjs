// A server that answers in one write where it can, run by each version of Node in turn. It tells the test how it answered
// each request and what became of it, by messages.
import { createServer } from 'node:http'
import {
  KEEP_ALIVE_TIMEOUT,
  MAX_TEXT_BODY,
  SingleWriteResponse
} from '../../../src/server/answers/single-write-response.ts'

const bytes = (size) => Buffer.from(Uint8Array.from({ length: size }, (_, k) => k % 251))
const bodies = {
  '/small': Buffer.from('{"small":true}'),
  '/text': bytes(MAX_TEXT_BODY),
  '/bytes': bytes(MAX_TEXT_BODY + 1),
  '/large': Buffer.alloc(4_000_000, 'x'),
  '/huge': Buffer.alloc(60_000_000)
}
const options = { keepAliveTimeout: KEEP_ALIVE_TIMEOUT, ServerResponse: SingleWriteResponse }
const server = createServer(options, (request, response) => {
  const body = bodies[request.url]
  const length = body === undefined ? [] : ['content-length', `${body.length}`]
  const headers = [...length, 'x-request', request.url]
  response.once('finish', () => process.send('finish'))
  response.once('close', () => process.send('close'))
  const inOneWrite = request.method === 'GET' && response.canSendInOneWrite
  process.send(inOneWrite ? 'one write' : 'usual')
  const lines = headers.map((text, k) => (k % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')
  const text = body?.length <= MAX_TEXT_BODY ? body.toString('latin1') : undefined
  if (inOneWrite) response.sendInOneWrite(lines, body, text)
  else response.writeHead(body === undefined ? 304 : 200, headers).end(request.method === 'HEAD' ? undefined : body)
})
process.on('uncaughtException', (error) => {
  process.send(`uncaught ${error.stack}`)
})
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
