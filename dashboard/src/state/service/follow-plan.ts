import { ApiError } from 'gammawall/client'
import { place } from '../page/address.ts'
import { closing, keepClosing } from '../page/closing.ts'
import { send } from './send.ts'
import { isSignedIn } from './sign-in.ts'

/** How soon a page of the last close notices a higher plan or a newer close, milliseconds. */
const EVERY = 30_000

/** Asks now and then for what the plan does not show: the refusal names the newest close, an answer a higher plan. */
export function followPlan(): () => void {
  const timer = setInterval(async () => {
    if (closing.peek() === undefined || !isSignedIn.peek()) return
    try {
      await send('GET', `/v1/market/session/${encodeURIComponent(place.peek().symbol)}`)
      location.reload()
    } catch (error) {
      if (error instanceof ApiError) keepClosing(error.detail)
    }
  }, EVERY)
  return () => clearInterval(timer)
}
