import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sentenceFor } from '../../src/cli/failure.ts'
import { runUntilStopped } from '../../src/cli/serve-command.ts'

test.each(['SIGTERM', 'SIGINT'])('%s stops the service once, however often it arrives', async (signal) => {
  const signals = new EventEmitter()
  let stops = 0
  const stop = async () => {
    stops++
    signals.emit('SIGINT')
    await pause(20)
    signals.emit(signal)
  }
  const ended = runUntilStopped(async () => ({ stop }), signals)
  await pause(20)
  expect(stops).toBe(0)
  signals.emit(signal)
  signals.emit(signal)
  await ended
  expect(stops).toBe(1)
  expect(signals.eventNames()).toEqual([])
})

test('a signal during the start stops the service as soon as it stands', async () => {
  const signals = new EventEmitter()
  const events: string[] = []
  const start = async () => {
    await pause(20)
    events.push('started')
    return { stop: async () => void events.push('stopped') }
  }
  const ended = runUntilStopped(start, signals)
  signals.emit('SIGTERM')
  await ended
  expect(events).toEqual(['started', 'stopped'])
})

test('a start that fails is passed on and leaves no listener behind', async () => {
  const signals = new EventEmitter()
  await expect(runUntilStopped(() => Promise.reject(new Error('no')), signals)).rejects.toThrow('no')
  expect(signals.eventNames()).toEqual([])
})

test('a busy port is told in a sentence', async () => {
  const first = createServer()
  await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve))
  const address = first.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const failure = await new Promise((resolve) => createServer().once('error', resolve).listen(port, '127.0.0.1'))
  expect(sentenceFor(failure)).toBe(
    `port ${port} of 127.0.0.1 is in use: stop the other program or choose another port`
  )
  first.close()
})
