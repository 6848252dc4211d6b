import { expect, test } from 'vitest'
import { showNotices } from '../src/worker/notices.ts'
import type { WorkerScope } from '../src/worker/scope.ts'

/** The scope of a worker whose browser shows these pages. */
function scoped(urls: readonly string[], { isReachable = true } = {}) {
  const listeners = new Map<string, (event: never) => void>()
  const shown: { title: string; body: string; tag: string; data: { address: string } }[] = []
  const done: string[] = []
  const work: Promise<unknown>[] = []
  const pages = urls.map((url) => ({
    url,
    focus: async () => void done.push(`focus ${url}`),
    navigate: async (address: string) => {
      if (!isReachable) throw new TypeError('no page of this worker')
      done.push(`navigate ${address}`)
    }
  }))
  const scope = {
    location: { origin: 'https://desk.example' },
    registration: {
      showNotification: async (title: string, options: object) => void shown.push({ title, ...options } as never)
    },
    clients: { matchAll: async () => pages, openWindow: async (address: string) => void done.push(`open ${address}`) },
    addEventListener: (name: string, listener: (event: never) => void) => void listeners.set(name, listener)
  }
  showNotices(scope as unknown as WorkerScope)
  const happen = async (name: string, event: object) => {
    const waitUntil = (each: Promise<unknown>) => void work.push(each)
    listeners.get(name)!({ waitUntil, ...event } as never)
    await Promise.all(work)
  }
  const push = (data: object) => happen('push', { data: { json: () => data } })
  const click = (data: object) =>
    happen('notificationclick', { notification: { data, close: () => done.push('close') } })
  return { push, click, shown, done }
}

const fired = {
  id: 'a1',
  symbol: 'SPY',
  at: '2026-11-20T19:40:31Z',
  text: 'SPY stockquote.current.mid crossed exposure.summary.gamma_flip (686.4): now 686.12. the flip'
}

test('a push is shown in words with the moment that it is of, one for each firing', async () => {
  const { push, shown } = scoped([])
  await push(fired)
  expect(shown).toMatchObject([
    {
      title: 'gammawall',
      body: '11-20 14:40 ET: SPY price crossed gamma flip (686.4): now 686.12. the flip',
      tag: 'a1',
      data: { address: '/#/overview/SPY' }
    }
  ])
})

test('a notification leads the page that is open to the symbol, else opens one', async () => {
  const open = scoped(['https://desk.example/embed/ladder', 'https://desk.example/#/alerts/QQQ'])
  await open.click({ address: '/#/overview/SPY' })
  expect(open.done).toEqual([
    'close',
    'focus https://desk.example/#/alerts/QQQ',
    'navigate https://desk.example/#/overview/SPY'
  ])
  const none = scoped([])
  await none.click({ address: '/#/overview/SPY' })
  expect(none.done).toEqual(['close', 'open /#/overview/SPY'])
  const other = scoped(['https://desk.example/'], { isReachable: false })
  await other.click({ address: '/#/overview/SPY' })
  expect(other.done.at(-1)).toBe('open /#/overview/SPY')
})

test('what is of the whole market, and a test, leads to the alerts', async () => {
  const { push, shown } = scoped([])
  await push({ ...fired, symbol: '_MARKET' })
  await push({ id: 'test', at: fired.at, text: 'This is a test of the notifications.' })
  expect(shown.map(({ data }) => data.address)).toEqual(['/#/alerts', '/#/alerts'])
})
