import type { Chance } from './chance.ts'

// Bytes that no HTTP client sends, written to a bare socket.

const bare = (text: string) => Buffer.from(text, 'latin1')
const start = 'GET /v1/exposure/levels/SPY HTTP/1.1\r\nhost: a\r\n'

/** Each makes bytes of one kind of malice; `key` opens what needs one. */
const kinds: Readonly<Record<string, (chance: Chance, key: string) => Buffer>> = {
  noise: (chance) => Buffer.from(Array.from({ length: 1 + chance.below(3000) }, () => chance.below(256))),
  'tls hello': () => Buffer.from('16030100c8010000c40303', 'hex'),
  'http/2 preface': () => bare('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  'request line': (chance) =>
    bare(
      `${chance.pick(['get / HTTP/1.1', 'GET / HTTP/9.9', 'GET  / HTTP/1.1', 'GET /', 'FOO / HTTP/1.1', 'CONNECT a:1 HTTP/1.1', 'TRACE / HTTP/1.1', 'OPTIONS * HTTP/1.1', 'GET * HTTP/1.1', 'GET http://other/livez HTTP/1.1', 'GET \x7f HTTP/1.1', 'GET /livez HTTP/1.0', 'GET /../../etc/passwd HTTP/1.1', 'GET /\xff\xfe HTTP/1.1', 'M-SEARCH * HTTP/1.1'])}\r\nhost: a\r\n\r\n`
    ),
  host: (chance) =>
    bare(
      `GET /livez HTTP/1.1\r\n${chance.pick(['', 'host:\r\n', 'host: a\r\nhost: b\r\n', 'host: a b\r\n', 'host: \xff\r\n'])}connection: close\r\n\r\n`
    ),
  header: (chance) =>
    bare(
      `${start}${chance.pick(['a\r\n', 'a : b\r\n', ' folded\r\n', ': x\r\n', 'a: \0\r\n', 'a: b\nc: d\r\n', 'a: \x01\r\n', `a: ${'x'.repeat(20_000)}\r\n`, `${'a: b\r\n'.repeat(3000)}`, 'expect: 200-maybe\r\n', 'expect: 100-continue\r\n', 'upgrade: h2c\r\nconnection: upgrade, http2-settings\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n', 'upgrade: websocket\r\nconnection: upgrade\r\n'])}\r\n`
    ),
  length: (chance, key) =>
    bare(
      `POST /v1/structures/pnl HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n${chance.pick(['content-length: -1', 'content-length: 1e3', 'content-length: 5\r\ncontent-length: 6', 'content-length: 99999999999999999999', 'content-length: 4\r\ntransfer-encoding: chunked', 'transfer-encoding: chunked, identity', 'transfer-encoding: xchunked', 'content-length: 1000'])}\r\n\r\n{"legs":[]}`
    ),
  chunks: (chance, key) =>
    bare(
      `POST /v1/structures/pnl HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chance.pick(['zz\r\n{}\r\n0\r\n\r\n', '-2\r\n{}\r\n0\r\n\r\n', 'ffffffffffffffff\r\n{}', '2;x=y\r\n{}\r\n0\r\n\r\n', '2\r\n{}\r\n0\r\na: b\r\n\r\n', '2\r\n{}5\r\n', '2\r\n{}\r\n'])}`
    ),
  'cut off': (chance, key) => {
    const whole = `${start}x-api-key: ${key}\r\n\r\n`
    return bare(whole.slice(0, 1 + chance.below(whole.length - 1)))
  },
  pipelined: (chance, key) =>
    bare(
      Array.from({ length: 2 + chance.below(6) }, () =>
        chance.pick([
          'GET /livez HTTP/1.1\r\nhost: a\r\n\r\n',
          `${start}x-api-key: ${key}\r\n\r\n`,
          'GET /nothing HTTP/1.1\r\nhost: a\r\n\r\n'
        ])
      ).join('')
    ),
  handshake: (chance, key) =>
    Buffer.concat([
      bare(
        `GET /ws${chance.pick(['', '?ticket=x', `?apiKey=${key}`, '?ticket='])} HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
          `sec-websocket-version: ${chance.pick(['13', '13', '8', '', 'x'])}\r\nsec-websocket-key: ${chance.pick(['dGhlIHNhbXBsZSBub25jZQ==', '', 'short'])}\r\n` +
          `${chance.happens(0.5) ? `x-api-key: ${key}\r\n` : ''}${chance.happens(0.3) ? 'sec-websocket-extensions: permessage-deflate; x=\x01\r\n' : ''}\r\n`
      ),
      // Frames that no WebSocket client makes: without a mask, of reserved kinds, cut off, of lengths that are none.
      Buffer.from(Array.from({ length: chance.below(200) }, () => chance.below(256)))
    ])
}

export const byteKinds = Object.keys(kinds)

/** Bytes of a kind that chance picks. */
export function hostileBytes(chance: Chance, key: string): { readonly kind: string; readonly bytes: Buffer } {
  const kind = chance.pick(byteKinds)
  return { kind, bytes: kinds[kind](chance, key) }
}
