import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { outliveReaders } from '../../src/cli/terminal.ts'

const fault = (code: string) => Object.assign(new Error(`write ${code}`), { code })

test('a reader of the results who goes away is told, and one of the messages is not missed', async () => {
  const [results, messages] = [new EventEmitter(), new EventEmitter()]
  let gone = false
  const left = outliveReaders(results, messages).then(() => (gone = true))
  messages.emit('error', fault('EPIPE'))
  await Promise.resolve()
  expect(gone).toBe(false)
  results.emit('error', fault('EPIPE'))
  results.emit('error', fault('EPIPE'))
  expect(await left).toBe(true)
})

test('any other fault of an output stays one', () => {
  const [results, messages] = [new EventEmitter(), new EventEmitter()]
  outliveReaders(results, messages)
  expect(() => results.emit('error', fault('ENOSPC'))).toThrow('ENOSPC')
  expect(() => messages.emit('error', fault('EIO'))).toThrow('EIO')
})
