import { type ChildProcess, fork } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withTypes } from '../../support/run-source.ts'

const root = join(import.meta.dirname, '../../..')

interface Nodes {
  otherNodes(root: string): readonly { readonly version: string; readonly program: string | undefined }[]
}
const { otherNodes }: Nodes = await import(pathToFileURL(join(root, 'scripts/nodes.mjs')).href)
const nodes = [{ version: process.versions.node, program: process.execPath }, ...otherNodes(root)]
for (const { version, program } of nodes) {
  if (program === undefined) console.log(`skipped: no answers in one write on Node ${version}; npm test fetches it`)
}

const small = '{"small":true}'
const LARGE = 4_000_000

for (const { version, program = '' } of nodes) {
  describe.skipIf(program === '')(`an answer in one write on Node ${version}`, () => {
    let child: ChildProcess
    let port: number
    /** How requests were answered, and the events of their responses, in order. */
    let noted: string[]
    let sockets: Socket[]

    beforeEach(async () => {
      noted = []
      sockets = []
      child = fork(join(import.meta.dirname, 'single-write-server.mjs'), { execPath: program, execArgv: withTypes })
      port = await new Promise<number>((resolve, reject) => {
        child.once('message', resolve)
        child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
      })
      const messages = noted // those of this server alone: the one before may still have some under way
      child.on('message', (message) => messages.push(`${message}`))
    })
    afterEach(() => {
      for (const socket of sockets) socket.destroy()
      child.kill('SIGKILL')
    })

    const open = (): Socket => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      sockets.push(socket)
      return socket
    }
    const ways = () => noted.filter((message) => message === 'one write' || message === 'usual')
    const events = () => noted.filter((message) => message === 'finish' || message === 'close')

    test('says that the connection stays, for how long, and when it was sent', async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/small`)
      expect(await answer.text()).toBe(small)
      expect(answer.headers.get('connection')).toBe('keep-alive')
      expect(answer.headers.get('keep-alive')).toBe('timeout=72')
      expect(answer.headers.get('x-request')).toBe('/small')
      expect(Math.abs(Date.parse(answer.headers.get('date')!) - Date.now())).toBeLessThan(2000)
      await expect.poll(() => noted).toEqual(['one write', 'finish', 'close'])
    })

    test('brings every byte of a body, whether it is kept as text or not', async () => {
      for (const path of ['/text', '/bytes', '/text']) {
        const bytes = new Uint8Array(await (await fetch(`http://127.0.0.1:${port}${path}`)).arrayBuffer())
        expect(bytes.length).toBeGreaterThan(8000)
        expect(bytes.every((byte, k) => byte === k % 251)).toBe(true)
      }
      expect(ways()).toEqual(Array(3).fill('one write'))
    })

    test('without a body says that nothing changed, and leaves the connection to the next request', async () => {
      const socket = open()
      const inbox = received(socket)
      for (let k = 1; k <= 3; k++) {
        socket.write(get('/nothing'))
        await inbox.until((sofar) => sofar.split('304 Not Modified').length === k + 1 && sofar.endsWith('\r\n\r\n'))
        socket.write(get('/small'))
        await inbox.until((sofar) => sofar.split(small).length === k + 1)
      }
      socket.write(get('/nothing', 'connection: close'))
      const answers = (await inbox.whole).split('HTTP/1.1 ').slice(1)
      expect(answers.map(bodyOf)).toEqual(['', small, '', small, '', small, ''])
      const namesOf = (answer: string) => answer.toLowerCase().match(/^[a-z-]+(?=:)/gm)
      expect(namesOf(answers[0])).toEqual(['x-request', 'date', 'connection', 'keep-alive'])
      expect(ways()).toEqual([...Array(6).fill('one write'), 'usual'])
    })

    test('leaves the connection to the next request, one after the other', async () => {
      const socket = open()
      const inbox = received(socket)
      for (let k = 0; k < 3; k++) {
        socket.write(get('/small'))
        await inbox.until((sofar) => sofar.split(small).length === k + 2)
      }
      await expect.poll(() => noted).toEqual(Array(3).fill(['one write', 'finish', 'close']).flat())
    })

    test('keeps the order of requests that came in one packet', async () => {
      const socket = open()
      socket.write(get('/small') + get('/large') + get('/small') + get('/small', 'connection: close'))
      const answers = (await text(socket)).split('HTTP/1.1 200 OK\r\n').slice(1)
      expect(answers.map((answer) => bodyOf(answer).length)).toEqual([small.length, LARGE, small.length, small.length])
      expect(answers[3]).toMatch(/connection: close/i)
      expect([ways()[0], ways()[3]]).toEqual(['one write', 'usual'])
      await expect.poll(() => events()).toEqual(Array(4).fill(['finish', 'close']).flat())
    })

    test('is not how a connection is answered that ends with it', async () => {
      for (const request of [get('/small', 'connection: close'), 'GET /small HTTP/1.0\r\n\r\n']) {
        const socket = open()
        socket.write(request)
        expect(await text(socket)).toMatch(/connection: close/i)
      }
      await expect.poll(() => ways()).toEqual(['usual', 'usual'])
    })

    test('follows and is followed by an answer to HEAD, which has no body', async () => {
      const socket = open()
      const head = get('/large').replace('GET', 'HEAD')
      socket.write(get('/small') + head + get('/small') + get('/small', 'connection: close'))
      const answers = (await text(socket)).split('HTTP/1.1 200 OK\r\n').slice(1)
      expect(answers.map(bodyOf)).toEqual([small, '', small, small])
      expect(answers[1]).toContain(`content-length: ${LARGE}`)
    })

    test('comes behind the reply to a client that asks whether it may send its body', async () => {
      const socket = open()
      const inbox = received(socket)
      const body = 'b'.repeat(1000)
      for (let k = 1; k <= 2; k++) {
        socket.write(get('/small', 'expect: 100-continue', `content-length: ${body.length}`))
        await inbox.until((sofar) => sofar.split(small).length === k + 1)
        socket.write(body)
      }
      socket.write(get('/small', 'connection: close'))
      const replies = (await inbox.whole).match(/HTTP\/1\.1 \d+|\{"small":true\}/g)
      const answered = ['HTTP/1.1 100', 'HTTP/1.1 200', small]
      expect(replies).toEqual([...answered, ...answered, 'HTTP/1.1 200', small])
      expect(ways()).toEqual(['one write', 'one write', 'usual'])
    })

    test('leaves the rest of a body that is still coming, and the request behind it, to the same connection', async () => {
      const socket = open()
      const inbox = received(socket)
      const body = 'b'.repeat(100_000)
      socket.write(get('/small', `content-length: ${body.length}`))
      await inbox.until((sofar) => sofar.endsWith(small))
      socket.write(body)
      socket.write(get('/small', 'connection: close'))
      expect((await inbox.whole).split(small).length - 1).toBe(2)
    })

    test.each([
      ['taken the last byte', false],
      ['gone', true]
    ])('counts as under way until a reader that stood still has %s', async (_what, goes) => {
      const socket = open()
      socket.write(get('/huge'))
      await new Promise((resolve) => socket.once('readable', resolve))
      await expect.poll(() => ways()).toEqual(['one write'])
      expect(events()).toEqual([])
      if (goes) socket.resetAndDestroy()
      else socket.resume()
      await expect.poll(() => events()).toEqual(goes ? ['close'] : ['finish', 'close'])
      expect(await (await fetch(`http://127.0.0.1:${port}/small`)).text()).toBe(small)
    })

    test('harms no other client where hundreds reset their connections in the middle of theirs', async () => {
      for (let k = 0; k < 300; k++) {
        const socket = open()
        await new Promise((resolve) => socket.once('connect', resolve))
        socket.write(get('/small') + get(k % 30 === 0 ? '/large' : '/small'))
        if (k % 3 === 0) await new Promise((resolve) => setImmediate(resolve))
        socket.resetAndDestroy()
      }
      expect(await (await fetch(`http://127.0.0.1:${port}/small`)).text()).toBe(small)
      expect(noted.filter((message) => message.startsWith('uncaught'))).toEqual([])
    })
  })
}

function get(path: string, ...headers: string[]): string {
  return [`GET ${path} HTTP/1.1`, 'host: x', ...headers, '', ''].join('\r\n')
}

function bodyOf(answer: string): string {
  return answer.slice(answer.indexOf('\r\n\r\n') + 4)
}

/** Collects the text that a socket receives. */
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
