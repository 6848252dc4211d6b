import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redisShelf } from '../../src/shelf/redis-shelf.ts'
import type { Shelf } from '../../src/shelf/shelf.ts'
import { linkTo } from '../support/link.ts'
import { MemoryShelf } from '../support/memory-shelf.ts'
import { hasRedis, type RedisServer, startRedisServer } from '../support/redis.ts'

const bytes = Uint8Array.of(0, 255, 10, 13, 36)

const up = (shelf: Shelf) => new Promise<void>((resolve) => shelf.onUp(resolve))

function suite(open: () => Shelf) {
  test('gives a value to every member, byte for byte', async () => {
    const [one, other] = [open(), open()]
    await Promise.all([up(one), up(other)])
    expect(await other.get('nothing')).toBeUndefined()
    await one.put('value', bytes, 60)
    expect([...(await other.get('value'))!]).toEqual([...bytes])
    await one.put('empty', new Uint8Array(0), 60)
    expect(await other.get('empty')).toHaveLength(0)
    await Promise.all([one.close(), other.close()])
  })

  test('tells a message once the value is there, to those that listen to its channel', async () => {
    const [one, other] = [open(), open()]
    await Promise.all([up(one), up(other)])
    const heard: string[] = []
    const stop = other.listen('news', (text) => heard.push(text))
    other.listen('requests', (text) => heard.push(`request ${text}`))
    await expect
      .poll(async () => {
        await one.tell('requests', 'first')
        return heard
      })
      .toContain('request first')
    const told = new Promise<Uint8Array | undefined>((resolve) =>
      other.listen('news', () => resolve(other.get('told')))
    )
    await one.put('told', bytes, 60, { on: 'news', text: 'it is there' })
    expect([...(await told)!]).toEqual([...bytes])
    expect(heard).toContain('it is there')
    stop()
    await one.tell('news', 'later')
    await one.tell('requests', 'last')
    await expect.poll(() => heard).toContain('request last')
    expect(heard).not.toContain('later')
    await Promise.all([one.close(), other.close()])
  })
}

describe('a shelf in memory', () => {
  const shelf = new MemoryShelf()
  suite(() => shelf.member())
})

describe.runIf(hasRedis)('a shelf on a Redis server', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedisServer()
  })
  afterAll(() => server.stop())
  suite(() => redisShelf({ address: server.address, prefix: 'gammawall:test:' }))

  test('takes nothing of a service after another one with a higher fence', async () => {
    const place = { address: server.address, prefix: 'gammawall:fences:' }
    let outdone = 0
    const fenced = (number: number) => redisShelf(place, { number, onOutdone: () => outdone++ })
    const [first, second, reader] = [fenced(3), fenced(4), redisShelf(place)]
    await Promise.all([up(first), up(second), up(reader)])
    const heard: string[] = []
    reader.listen('news', (text) => heard.push(text))
    await expect
      .poll(async () => {
        await first.tell('news', 'first')
        return heard
      })
      .toContain('first')
    await first.put('value', bytes, 60, { on: 'news', text: 'put' })
    await second.tell('news', 'second')
    await expect(first.put('value', Uint8Array.of(1), 60)).rejects.toThrow('taken over')
    await expect(first.tell('news', 'late')).rejects.toThrow('taken over')
    expect(outdone).toBe(2)
    expect([...(await reader.get('value'))!]).toEqual([...bytes])
    await second.put('value', Uint8Array.of(2), 60, { on: 'news', text: 'last' })
    await expect.poll(() => heard).toContain('last')
    expect(heard).not.toContain('late')
    expect([...(await reader.get('value'))!]).toEqual([2])
    await Promise.all([first, second, reader].map((shelf) => shelf.close()))
  })

  test('fails at once while it cannot be reached, and says when it can again', async () => {
    const shelf = redisShelf({ address: server.address, prefix: 'gammawall:test:' })
    let ups = 0
    shelf.onUp(() => ups++)
    const heard: string[] = []
    shelf.listen('news', (text) => heard.push(text))
    await expect.poll(() => ups).toBe(1)
    await server.kill()
    await expect.poll(() => shelf.isUp).toBe(false)
    await expect(shelf.get('value')).rejects.toThrow()
    await expect(shelf.put('value', bytes, 60)).rejects.toThrow()
    await server.startAgain()
    await expect.poll(() => ups).toBe(2)
    expect(await shelf.get('value')).toBeUndefined()
    // The channel is listened to again by itself.
    await expect
      .poll(async () => {
        await shelf.tell('news', 'again')
        return heard
      })
      .toContain('again')
    await shelf.close()
  })

  test('notices a server that keeps its connections and says nothing', async () => {
    const link = await linkTo(server.port)
    const shelf = redisShelf({ address: `redis://127.0.0.1:${link.port}`, prefix: 'gammawall:test:' })
    await expect.poll(() => shelf.isUp).toBe(true)
    link.set('freeze')
    await expect(shelf.get('value')).rejects.toThrow()
    link.set('pass')
    await expect.poll(() => shelf.get('value').catch(() => 'not yet')).toBeUndefined()
    await shelf.close()
    await link.close()
  })
})
