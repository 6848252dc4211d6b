import { effect, signal } from '@preact/signals'

/** How the stream stands: `off` where the plan has none, or in replay. */
export const link = signal<'off' | 'connecting' | 'live' | 'lost'>('off')

/** A stream that was lost is back soon, or the page asks for what it brought, milliseconds. */
const PATIENCE = 10_000

/** Whether the stream brings what it carries: it stands, or was lost so shortly ago that it may be back at once. */
export const isStreamed = signal(false)

/** Derives `isStreamed` from the state of the stream until the returned function is called. */
export function followStream(): () => void {
  return effect(() => {
    if (link.value !== 'lost') {
      isStreamed.value = link.value === 'live'
      return undefined
    }
    const timer = setTimeout(() => {
      isStreamed.value = false
    }, PATIENCE)
    return () => clearTimeout(timer)
  })
}

/** Takes a metric of the symbol shown as it changes, no oftener than its cadence in milliseconds. */
export type Follow = (
  metric: string,
  cadence: number,
  take: (value: unknown, ts: number) => void,
  params?: Readonly<Record<string, string | number>>
) => { unsubscribe(): void }

/** What the open screen follows beside the price. Signals read in it are followed too. */
export const followed = signal<(follow: Follow) => void>()

/** Lets a screen follow metrics of its own until the returned function is called. */
export function followWhile(metrics: (follow: Follow) => void): () => void {
  followed.value = metrics
  return () => {
    if (followed.peek() === metrics) followed.value = undefined
  }
}
