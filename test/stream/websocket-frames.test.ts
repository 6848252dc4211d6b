import fc from 'fast-check'
import { expect, test } from 'vitest'
import { frameHead, utf8Bytes } from '../../src/stream/delivery/websocket-frames.ts'
import { framesIn } from './frames.ts'

test.each([0, 1, 125, 126, 65_535, 65_536, 300_000])('the head of a frame of %i bytes tells its length', (length) => {
  const payload = JSON.stringify('x'.repeat(Math.max(0, length - 2)))
  expect(framesIn(frameHead(payload.length) + payload)).toEqual([JSON.parse(payload)])
})

test('a text is turned into its UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(Buffer.from(utf8Bytes(text), 'latin1').toString('utf8')).toBe(text)
    })
  )
})
