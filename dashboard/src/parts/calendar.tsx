import { useSignal } from '@preact/signals'
import { ApiError } from 'gammawall/client'
import { useEffect, useRef } from 'preact/hooks'
import { date } from '../state/day/day.ts'
import { dayOf, monthOf, shortDate } from '../state/day/time.ts'
import { at, go, place } from '../state/page/address.ts'
import { coveredOf, forgetCovered } from '../state/service/covered.ts'
import { type Covered, levelOf, monthAfter, weeksOf } from '../state/service/covered-days.ts'
import { Dialog } from './dialog.tsx'
import { sentenceOf } from './sentences.ts'

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']

/** Calendar of the sessions that can be replayed. Opens when it is mounted. */
export default function Calendar({ onClose }: { readonly onClose: () => void }) {
  const box = useRef<HTMLDialogElement>(null)
  const { symbol } = place.value
  const shown = at.value?.slice(0, 10) ?? date.value
  const covered = useSignal<readonly Covered[] | undefined>(undefined)
  const trouble = useSignal<string | undefined>(undefined)
  const month = useSignal((shown ?? new Date().toISOString()).slice(0, 7))
  useEffect(() => {
    box.current?.showModal()
    forgetCovered()
    coveredOf(symbol).then(
      (found) => {
        covered.value = found
      },
      (error: unknown) => {
        trouble.value = error instanceof ApiError ? sentenceOf(error) : 'The service does not respond.'
      }
    )
  }, [symbol])
  const choose = (session: string) => {
    box.current?.close()
    go({ at: `${session}T16:00:00` })
  }
  return (
    <Dialog id="calendar" title={`Recorded sessions of ${symbol}`} box={box} onClose={onClose}>
      <p class="hint" role="status">
        {trouble.value ?? sayOf(symbol, covered.value)}
      </p>
      <div class="months">
        <Step name="Previous month" sign="‹" act={() => (month.value = monthAfter(month.value, -1))} />
        <b aria-live="polite">{monthOf(month.value)}</b>
        <Step name="Next month" sign="›" act={() => (month.value = monthAfter(month.value, 1))} />
      </div>
      <table class="weeks">
        <thead>
          <tr>
            {WEEKDAYS.map((each) => (
              <th key={each} scope="col">
                {each}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month.value).map((week) => (
            <tr key={week.find((each) => each !== undefined)}>
              {week.map((each, i) => (
                <td key={WEEKDAYS[i]}>
                  {each !== undefined && (
                    <Day
                      date={each}
                      level={levelOf(covered.value ?? [], each)}
                      isShown={each === shown}
                      choose={choose}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button type="submit" class="primary plain">
        Close
      </button>
    </Dialog>
  )
}

/** A sentence about what is recorded. */
function sayOf(symbol: string, covered: readonly Covered[] | undefined): string {
  if (covered === undefined) return 'Looking.'
  const [first, last] = [covered[0], covered.at(-1)]
  if (first === undefined || last === undefined) return `Nothing has been recorded for ${symbol} yet.`
  const words = first.from === last.to ? yearly(first.from) : `${yearly(first.from)} to ${yearly(last.to)}`
  return covered.some(({ level }) => level === 'imported') ? `${words}; imported ones have a ring.` : `${words}.`
}

const yearly = (day: string) => `${shortDate(day)} ${day.slice(0, 4)}`

interface StepProps {
  readonly name: string
  readonly sign: string
  readonly act: () => void
}

function Step({ name, sign, act }: StepProps) {
  return (
    <button type="button" class="icon" aria-label={name} onClick={act}>
      {sign}
    </button>
  )
}

interface DayProps {
  readonly date: string
  /** Undefined: nothing of the day can be replayed. */
  readonly level: string | undefined
  readonly isShown: boolean
  readonly choose: (date: string) => void
}

function Day({ date, level, isShown, choose }: DayProps) {
  const day = Number(date.slice(8))
  if (level === undefined) return <span>{day}</span>
  return (
    <button
      type="button"
      class={level}
      aria-label={`${dayOf(date)}, ${level}`}
      aria-current={isShown ? 'date' : undefined}
      onClick={() => choose(date)}
    >
      {day}
    </button>
  )
}
