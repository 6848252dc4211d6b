import { signal } from '@preact/signals'

/** How the stream stands: `off` where the plan has none, or in replay. */
export const link = signal<'off' | 'connecting' | 'live' | 'lost'>('off')

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
