import { followSpelling } from './day/day.ts'
import { followAddress } from './page/address.ts'
import { followBrowser } from './page/reader.ts'
import { followListing } from './service/listed-expirations.ts'
import { followPlan } from './service/pace.ts'
import { followPlace } from './service/question.ts'
import { followSymbols } from './service/symbols.ts'
import { followStream } from './stream/stream-state.ts'

/**
 * Makes the state follow address, browser and stream for the life of the page. Called once, before anything is drawn.
 */
export function startState(): void {
  followAddress()
  followBrowser()
  followPlan()
  followPlace()
  followSpelling()
  followSymbols()
  followListing()
  followStream()
}
