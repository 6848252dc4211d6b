import { ApiError } from 'gammawall/client'
import { place } from '../page/address.ts'
import { closing, keepClosing } from '../page/closing.ts'
import { FRUGAL } from './pace.ts'
import { send } from './send.ts'
import { isSignedIn } from './sign-in.ts'
import { lackedPath, visitor } from './visitor.ts'

/** How soon a page of the last close notices a higher plan or a newer close, milliseconds. */
const EVERY = 30_000

/**
 * Asks now and then for what the plan does not show, and loads the page anew once the plan is another one. The refusal names
 * the plan and the newest close, and counts nowhere.
 */
export function followPlan(): () => void {
  let timer: ReturnType<typeof setTimeout>
  const again = () => {
    timer = setTimeout(() => void look().then(again), closing.peek() === undefined ? FRUGAL : EVERY)
  }
  again()
  return () => clearTimeout(timer)
}

async function look(): Promise<void> {
  const path = closing.peek() === undefined ? lackedPath : '/v1/market/session/{symbol}'
  if (path === undefined || !isSignedIn.peek()) return
  try {
    await send('GET', path.replace('{symbol}', encodeURIComponent(place.peek().symbol)))
    location.reload()
  } catch (error) {
    if (!(error instanceof ApiError)) return
    keepClosing(error.detail)
    const { current_plan: plan = visitor.plan } = error.detail
    if (visitor.plan !== undefined && plan !== visitor.plan) location.reload()
  }
}
