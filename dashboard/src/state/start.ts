import { followAddress } from './page/address.ts'
import { followBrowser } from './page/reader.ts'
import { followPlan } from './service/pace.ts'
import { followPlace } from './service/question.ts'
import { followStream } from './stream/stream-state.ts'

/** Keeps the state current for as long as the page lives. Called once, before anything is drawn. */
export function startState(): void {
  followAddress()
  followBrowser()
  followPlan()
  followPlace()
  followStream()
}
