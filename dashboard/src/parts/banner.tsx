import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { figuresAt, gap, unknownSymbol } from '../state/day/day.ts'
import { dayOf, newYork } from '../state/day/time.ts'
import { hrefOf } from '../state/page/address.ts'
import { closing, isLocked } from '../state/page/closing.ts'
import { coveredOf } from '../state/service/covered.ts'
import { nearestSession } from '../state/service/covered-days.ts'
import { outage } from '../state/service/freshness.ts'
import { loadSymbols, symbols } from '../state/service/symbols.ts'
import { nearest, sentenceOf } from './sentences.ts'
import { betweenRecordings } from './state-now.ts'
import { Upgrade } from './upgrade.tsx'

/** Messages about the whole page: service, quota, symbol. The last good figures stay below. */
export function Banner() {
  const refused = outage.value?.error
  const unknown = unknownSymbol.value
  if (refused !== undefined) {
    const resets = refused.detail['reset_at']
    const until = typeof resets === 'string' ? ` They begin anew ${wordsOf(Date.parse(resets))}.` : ''
    return (
      <p class="banner" role="status">
        {sentenceOf(refused)}
        {until}
        {shownOf()}
        {refused.code === 'quota_exceeded' && <Upgrade />}
      </p>
    )
  }
  if (unknown !== undefined) return <UnknownSymbol {...unknown} />
  if (gap.value !== undefined) return <Gap {...gap.value} />
  const between = betweenRecordings()
  if (between !== undefined) return <Recorded {...between} />
  if (closing.value === undefined || isLocked.value) return null
  return (
    <p class="banner welcome">
      {closing.value.note}
      <Upgrade />
    </p>
  )
}

function wordsOf(time: number): string {
  const text = newYork(time)
  return `${dayOf(text.slice(0, 10))} ${text.slice(11, 16)} ET`
}

function UnknownSymbol({ symbol, isReplay }: { readonly symbol: string; readonly isReplay: boolean }) {
  useEffect(() => void loadSymbols(), [])
  if (isReplay)
    return (
      <p class="banner" role="status">
        Nothing has been recorded for {symbol}. <a href={hrefOf({ at: undefined })}>Show it live</a>
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

/** The moment lies between two recordings: names the one that is shown, with a link to the next. */
function Recorded({ wanted, newest, next, step }: NonNullable<ReturnType<typeof betweenRecordings>>) {
  const clockOf = (wall: string) => wall.slice(11, 16)
  return (
    <p class="banner" role="status">
      {step !== undefined && `Recorded each ${stepWords(step)}: `}
      {clockOf(newest)} is the newest by {clockOf(wanted)}.
      {next !== undefined && (
        <>
          {' '}
          <a href={hrefOf({ at: next })}>Next: {clockOf(next)}</a>
        </>
      )}
    </p>
  )
}

const MINUTE = 60_000

function stepWords(step: number): string {
  const minutes = Math.round(step / MINUTE)
  if (minutes === 60) return 'hour'
  return minutes <= 1 ? 'minute' : `${minutes} minutes`
}

/** Nothing is recorded at the moment; links to the nearest session that is. */
function Gap({ symbol, moment: wanted }: { readonly symbol: string; readonly moment: string }) {
  const nearest = useSignal<string | undefined>(undefined)
  const day = wanted.slice(0, 10)
  useEffect(() => {
    let isWanted = true
    coveredOf(symbol).then(
      (covered) => {
        if (isWanted) nearest.value = nearestSession(covered, day)
      },
      () => {} // The sentence stays without a link.
    )
    return () => {
      isWanted = false
    }
  }, [symbol, day])
  return (
    <p class="banner" role="status">
      Nothing had been recorded for {symbol} by {dayOf(day)} {day.slice(0, 4)}, {wanted.slice(11, 16)}.
      {nearest.value !== undefined && (
        <>
          {' '}
          <a href={hrefOf({ at: `${nearest.value}T16:00:00` })}>
            The nearest session recorded: {dayOf(nearest.value)} {nearest.value.slice(0, 4)}
          </a>
        </>
      )}
      {shownOf()}
    </p>
  )
}

/** Names the moment of the figures that stay below. */
function shownOf(): string {
  if (figuresAt.value === undefined) return ''
  const text = newYork(figuresAt.value)
  return ` What is shown is of ${dayOf(text.slice(0, 10))}, ${text.slice(11)}.`
}
