import { newYork } from '../state/day/time.ts'
import { inWords } from '../state/screens/metric-names.ts'
import type { WorkerScope } from './scope.ts'

/** The text of a push, as the service encrypts it. */
interface Pushed {
  readonly id: string
  readonly at: string
  readonly text: string
  /** A ticker or _MARKET; absent in a test. */
  readonly symbol?: string
}

/** Shows what fires as a notification, which leads to the chart of its symbol. */
export function showNotices(scope: WorkerScope): void {
  scope.addEventListener('push', (event) => {
    const { id, at, text, symbol } = (event.data?.json() ?? {}) as Pushed
    // It may arrive long after: the moment stands before what was true then.
    const body = `${newYork(Date.parse(at)).slice(5, 16).replace('T', ' ')} ET: ${inWords(text)}`
    const options = { body, tag: id, icon: '/icons/icon-192.png', data: { address: addressOf(symbol) } }
    event.waitUntil(scope.registration.showNotification('gammawall', options))
  })
  scope.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(show(scope, event.notification.data.address))
  })
}

const addressOf = (symbol: string | undefined) =>
  symbol === undefined || symbol.startsWith('_') ? '/#/alerts' : `/#/overview/${encodeURIComponent(symbol)}`

/** Leads a page that is open to an address, or opens one. */
async function show({ clients, location }: WorkerScope, address: string): Promise<void> {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find(({ url }) => new URL(url).pathname === '/')
  try {
    await page!.focus()
    await page!.navigate(location.origin + address)
  } catch {
    await clients.openWindow(address)
  }
}
