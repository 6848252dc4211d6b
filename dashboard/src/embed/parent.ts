import { effect } from '@preact/signals'
import { place, turn } from '../state/page/address.ts'
import { readSet } from '../state/page/expiration-set.ts'
import { DEALERS, isTicker, NARROWEST, WIDEST } from '../state/page/place.ts'
import { theme } from '../state/page/reader.ts'
import { embedToken, isSignedIn } from '../state/service/sign-in.ts'
import type { FromPanel, ToPanel } from './messages.ts'

/** Milliseconds between requests for a token, so that a page without one is not flooded. */
const PACE = 5000

/** Exchanges messages with the page around, and with its origin only, until the returned function is called. */
export function talkTo(page: string): () => void {
  const tell = (message: FromPanel) => parent.postMessage(message, page)
  const listen = ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source === parent && origin === page && isChange(data)) take(data)
  }
  addEventListener('message', listen)
  const watch = new ResizeObserver(() =>
    tell({ gammawall: 'height', height: Math.ceil(document.body.getBoundingClientRect().height) })
  )
  watch.observe(document.body)
  let last = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = effect(() => {
    if (isSignedIn.value) return
    const { symbol } = place.peek()
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        last = performance.now()
        tell({ gammawall: 'token', symbol })
      },
      Math.max(0, last + PACE - performance.now())
    )
  })
  return () => {
    removeEventListener('message', listen)
    watch.disconnect()
    stop()
    clearTimeout(timer)
  }
}

function isChange(data: unknown): data is ToPanel {
  return typeof data === 'object' && data !== null && (data as { gammawall?: unknown }).gammawall === 'change'
}

/** Applies valid changes and ignores others. */
function take(change: ToPanel): void {
  const { token, symbol = '', theme: wanted, range, dealers, expirations } = change
  if (isTicker(symbol) && symbol !== place.peek().symbol) turn({ symbol })
  if (wanted === 'dark' || wanted === 'light') theme.value = wanted
  const half = Number(range ?? Number.NaN)
  if (range === '') turn({ range: undefined })
  else if (half >= NARROWEST && half <= WIDEST) turn({ range: half })
  if (dealers !== undefined) turn({ dealers: DEALERS.find((each) => each === dealers) ?? 'convention' })
  if (typeof expirations === 'string') turn({ expirations: readSet(expirations) })
  if (typeof token === 'string' && token !== '') {
    embedToken.value = token
    isSignedIn.value = true
  }
}
