import { useEffect } from 'preact/hooks'
import { hrefOf } from '../state/address.ts'
import { moment, stranger } from '../state/day.ts'
import { outage } from '../state/service.ts'
import { loadSymbols, symbols } from '../state/symbols.ts'
import { clock, dayOf, newYork } from '../state/time.ts'
import { nearest, sentenceOf } from './sentences.ts'

/** What concerns the whole page: the service, the quota, the symbol. The last good figures stay beneath it. */
export function Banner() {
  const refused = outage.value?.error
  const unknown = stranger.value
  if (refused !== undefined) {
    const resets = refused.detail['resets_at']
    const until = typeof resets === 'string' ? ` They begin anew ${wordsOf(Date.parse(resets))}.` : ''
    const shown = moment.value === undefined ? '' : ` What is shown is of ${clock(moment.value)}.`
    return (
      <p class="banner" role="status">
        {sentenceOf(refused)}
        {until}
        {shown}
      </p>
    )
  }
  if (unknown !== undefined) return <Stranger {...unknown} />
  return null
}

function wordsOf(time: number): string {
  const text = newYork(time)
  return `${dayOf(text.slice(0, 10))} ${text.slice(11, 16)} ET`
}

function Stranger({ symbol, isReplay }: { readonly symbol: string; readonly isReplay: boolean }) {
  useEffect(() => void loadSymbols(), [])
  if (isReplay)
    return (
      <p class="banner" role="status">
        Nothing is recorded of {symbol}. <a href={hrefOf({ at: undefined })}>Show it live</a>
      </p>
    )
  return (
    <p class="banner" role="status">
      {symbol} is not known here.
      {nearest(symbol, symbols.value, 3).map((each) => (
        <a key={each} href={hrefOf({ symbol: each })}>
          {each}
        </a>
      ))}
    </p>
  )
}
