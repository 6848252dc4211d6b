import { untracked, useSignal } from '@preact/signals'
import { lazy, Suspense } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import { date, hours, moment } from '../state/day/day.ts'
import { clock, dayOf, momentOf, newYork } from '../state/day/time.ts'
import { at, go, place, turn } from '../state/page/address.ts'
import { closing } from '../state/page/closing.ts'
import { nextMoment, pendingAnswers } from '../state/service/question.ts'
import { recordedBy, recordedStep } from '../state/service/recorded.ts'

const Calendar = lazy(() => import('./calendar.tsx'))

/** Market minutes per second of playing. */
const SPEEDS = [1, 5, 15, 60] as const
const MINUTE = 60_000

/** The moment of the slider, though its figures may still be pending. */
function wanted(): number | undefined {
  return at.value === undefined ? moment.value : momentOf(at.value)
}

/** A New York time within the session; times outside are moved to its edge. */
function inSession(time: number): string | undefined {
  if (hours.value === undefined) return undefined
  const { open, close } = hours.value
  return newYork(Math.round(Math.min(close, Math.max(open + MINUTE, time)) / 1000) * 1000)
}

/** The moment `minutes` later, or earlier if negative. */
function momentAfter(minutes: number): string | undefined {
  const now = wanted()
  return now === undefined ? undefined : inSession(Math.floor(now / MINUTE) * MINUTE + minutes * MINUTE)
}

/** Goes to the newest recorded moment at a time of the session, milliseconds. */
export function travelTo(time: number): void {
  const moment = inSession(time)
  if (moment === undefined) return
  const { at: from, symbol } = place.peek()
  turn({ at: (from === undefined ? undefined : untracked(() => recordedBy(symbol, moment))) ?? moment })
}

/** Goes about `minutes` forward, or back if negative, to a recorded moment. */
export function travelBy(minutes: number): void {
  const [from, moment] = [wanted(), momentAfter(minutes)]
  if (from === undefined || moment === undefined) return
  turn({ at: recordedStep(place.peek().symbol, newYork(from), moment) })
}

/** Goes on by `minutes` of market time. What is shown changes where the next moment was recorded. */
function playOn(minutes: number): void {
  const moment = momentAfter(minutes)
  if (moment !== undefined) turn({ at: moment })
}

/** A slider over the session, with a button that plays it. */
export function Timeline() {
  const isPlaying = useSignal(false)
  const speed = useSignal<(typeof SPEEDS)[number]>(5)
  useEffect(() => {
    if (!isPlaying.value) return undefined
    const timer = setInterval(() => {
      if (pendingAnswers.peek() > 0) return // The next step waits until the previous one is drawn.
      if (at.peek() !== undefined && (wanted() ?? 0) >= (hours.peek()?.close ?? 0)) isPlaying.value = false
      else {
        nextMoment.value = momentAfter(2 * speed.peek())
        playOn(speed.peek())
      }
    }, 1000)
    return () => {
      clearInterval(timer)
      nextMoment.value = undefined
    }
  }, [isPlaying.value])

  const span = hours.value
  const minutes = span === undefined ? 390 : Math.round((span.close - span.open) / MINUTE)
  const now = wanted()
  const minute =
    span === undefined || now === undefined ? 0 : Math.max(0, Math.min(minutes, (now - span.open) / MINUTE))
  const ticks = Array.from({ length: Math.ceil(minutes / 60) }, (_, i) => i * 60)
  return (
    <footer class="timeline">
      <button
        type="button"
        id="play"
        class="icon play"
        aria-pressed={isPlaying.value}
        aria-label={isPlaying.value ? 'Pause (space)' : 'Play (space)'}
        onClick={() => {
          isPlaying.value = !isPlaying.value
        }}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="currentColor">
          {isPlaying.value ? <path d="M4 3h3v10H4zM9 3h3v10H9z" /> : <path d="M4 2.5v11l9.5-5.5z" />}
        </svg>
      </button>
      <button
        type="button"
        class="speed"
        title="Market minutes per second"
        onClick={() => {
          speed.value = SPEEDS[(SPEEDS.indexOf(speed.value) + 1) % SPEEDS.length]!
        }}
      >
        {speed.value}
        <small> min/s</small>
      </button>
      <DayField />
      <div class="track" style={{ '--done': `${(minute / minutes) * 100}%` }}>
        <input
          type="range"
          min="1"
          max={minutes}
          step="1"
          disabled={span === undefined}
          value={Math.round(minute)}
          aria-label="Moment of the session"
          aria-valuetext={now === undefined ? 'unknown' : `${clock(now, false)} New York`}
          onInput={(event) => span !== undefined && travelTo(span.open + Number(event.currentTarget.value) * MINUTE)}
        />
        <div class="ticks" aria-hidden="true">
          {span !== undefined &&
            ticks.map((each) => (
              <button
                key={each}
                type="button"
                tabIndex={-1} // the slider is for keys
                style={{ left: `${(each * 100) / minutes}%` }}
                onClick={() => travelTo(span.open + each * MINUTE)}
              >
                {clock(span.open + each * MINUTE, false)}
              </button>
            ))}
        </div>
      </div>
      <button
        type="button"
        class="to-live"
        aria-pressed={at.value === undefined}
        title="Back to now (l)"
        onClick={() => {
          isPlaying.value = false
          go({ at: undefined })
        }}
      >
        {closing.value === undefined ? 'Live' : 'Close'}
      </button>
    </footer>
  )
}

/** The date of the session. A click opens the calendar. */
function DayField() {
  const isOpen = useSignal(false)
  const day = at.value?.slice(0, 10) ?? date.value
  return (
    <>
      <button
        type="button"
        class="date"
        title="Another session"
        onClick={() => {
          isOpen.value = true
        }}
      >
        {day === undefined ? '–' : dayOf(day)}
      </button>
      {isOpen.value && (
        <Suspense fallback={null}>
          <Calendar
            onClose={() => {
              isOpen.value = false
            }}
          />
        </Suspense>
      )}
    </>
  )
}
