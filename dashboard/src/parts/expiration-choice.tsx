import { useEffect } from 'preact/hooks'
import { dayOf } from '../state/day/time.ts'
import { expirations, go, symbol } from '../state/page/address.ts'
import { CALENDAR_SETS, datesOf, MOST_DATES, withDate } from '../state/page/expiration-set.ts'
import { isChoosing, listed, listing, takenOut } from '../state/service/listed-expirations.ts'
import { embedToken } from '../state/service/sign-in.ts'
import { Drop } from './drop.tsx'
import { datesName, expiryName, NAMED, SET_NAMES, setName, setWords } from './expiration-words.ts'
import type { Shown } from './panel.tsx'
import { sentenceOf } from './sentences.ts'

const HINT =
  'Figures that can be of any set of expirations are of this one. Panels that are always of all expirations say so.'

interface Props {
  /** The main figures of the screen, whose dates are named. */
  readonly of: Pick<Shown, 'answer' | 'set'>
}

/** Choice of the expirations that exposures are of. Embedded panels take it from their page. */
export function ExpirationChoice({ of }: Props) {
  return embedToken.value === undefined ? <Choice of={of} /> : null
}

function Choice({ of }: Props) {
  useEffect(() => listing.start(), [])
  const chosen = expirations.value
  const name = setName(chosen)
  return (
    <div class={chosen === undefined ? 'choice' : 'choice other'} title={HINT}>
      <span aria-hidden="true">Expirations</span>
      <Drop
        kind="select"
        name={
          <>
            <span class="hidden">Expirations: </span>
            {name}
          </>
        }
        onToggle={(isOpen) => {
          isChoosing.value = isOpen
        }}
      >
        <fieldset class="sets">
          <legend class="hidden">Sets of expirations</legend>
          {[undefined, ...CALENDAR_SETS].map((each) => (
            <label key={each ?? 'all'}>
              <input
                type="radio"
                name="expirations"
                checked={chosen === each}
                onChange={() => go({ expirations: each })}
              />
              {each === undefined ? 'All' : SET_NAMES[each]}
            </label>
          ))}
        </fieldset>
        <Dates />
      </Drop>
      <small role="status">{wordsBelow(of)}</small>
    </div>
  )
}

/** The listed dates, of which several can be ticked, and chosen ones that are not listed. */
function Dates() {
  const chosen = datesOf(expirations.value)
  const known = listed.value
  const trouble = listing.trouble.value
  const all = [...new Set([...(known ?? []), ...chosen])].sort()
  return (
    <fieldset class="dates">
      <legend>Single dates</legend>
      {known === undefined && <p>{trouble === undefined ? 'Loading the dates.' : sentenceOf(trouble)}</p>}
      {all.map((each) => {
        const isIn = chosen.includes(each)
        return (
          <label key={each}>
            <input
              type="checkbox"
              checked={isIn}
              disabled={!isIn && chosen.length >= MOST_DATES}
              onChange={() => go({ expirations: withDate(expirations.peek(), each, !isIn) })}
            />
            {dayOf(each).slice(0, 3)} {expiryName(each)}
            {known?.includes(each) === false && <em>not listed</em>}
          </label>
        )
      })}
    </fieldset>
  )
}

/** Says which dates the shown figures are of, if that is not plain from the choice. */
function wordsBelow({ answer, set }: Props['of']): string | undefined {
  const chosen = expirations.value
  const gone = takenOut.value
  if (gone?.symbol === symbol.value) return `${gone.symbol} does not list ${datesName(gone.dates)}`
  if (set?.value === undefined || (chosen === undefined && set.value === 'all')) return undefined
  if (set.value !== (chosen ?? 'all')) return `still ${setWords(set.value)}`
  const dates = (answer.value as { readonly scope?: { readonly expirations: readonly string[] } }).scope?.expirations
  const last = dates?.at(-1)
  if (dates === undefined || last === undefined) return undefined
  const asked = datesOf(chosen).length
  if (asked > dates.length) return `${dates.length} of ${asked} listed`
  if (asked > 0 && asked <= NAMED) return undefined
  return dates.length === 1 ? dayOf(last) : `${dates.length} dates to ${expiryName(last)}`
}

/** Stands for the choice on a screen that is of today's expiration alone. */
export function TodayAlone() {
  const chosen = expirations.value
  return (
    <div class="choice">
      <span>Expirations</span>
      <b>Today</b>
      {chosen !== undefined && chosen !== '0dte' && <small>other screens: {setName(chosen)}</small>}
    </div>
  )
}
