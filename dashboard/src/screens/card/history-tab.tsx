import { useRef } from 'preact/hooks'
import { DefaultWords } from '../../parts/answer-words.tsx'
import { MethodLink } from '../../parts/method-link.tsx'
import { Contents } from '../../parts/panel.tsx'
import { shownPanes } from '../../state/chart/chart-state.ts'
import { hiddenGroups, LEVEL_FIELDS, withGroup } from '../../state/chart/level-lines.ts'
import { date, hours } from '../../state/day/day.ts'
import { newYork, shortDate } from '../../state/day/time.ts'
import { hrefOf, place, turn } from '../../state/page/address.ts'
import { type Card, MOST_PANES } from '../../state/page/place.ts'
import { fieldOf, isNet, past } from '../../state/screens/card-state.ts'
import { commandOf, requestPath } from '../../state/service/request-text.ts'
import { CARD_NAMES } from './card-names.ts'
import { type Close, historyWords } from './history-words.ts'
import { linePath } from './line-path.ts'

/** Closes of a figure, and where else it can be had. */
export function HistoryTab({ card }: { readonly card: Card }) {
  return (
    <>
      <Contents of={[past]}>
        <Closes card={card} />
      </Contents>
      <Actions card={card} />
    </>
  )
}

/** Closes of the sessions that are over. */
function closesOf(card: Card): readonly Close[] {
  const answer = past.answer.value
  const values = answer?.columns[fieldOf(card)]
  return (answer?.t ?? []).flatMap((text, i) => {
    const [time, value] = [Date.parse(text), values?.[i]]
    const day = newYork(time).slice(0, 10)
    const isRunning = day === date.value && hours.value !== undefined && time < hours.value.close
    return value === null || value === undefined || isRunning ? [] : [{ date: day, value }]
  })
}

function Closes({ card }: { readonly card: Card }) {
  if (past.answer.value === undefined) return null
  const closes = closesOf(card)
  const words = historyWords(card, closes)
  const [first, last] = [closes[0], closes.at(-1)]
  return (
    <>
      <p class="of">
        <DefaultWords />
      </p>
      <p>
        <b>{words}</b>
      </p>
      {closes.length > 1 && (
        <figure class="closes">
          <svg viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label={words}>
            <path
              d={linePath(
                closes.map(({ value }) => value),
                !isNet(card) && card !== 'gamma_flip'
              )}
            />
          </svg>
          <figcaption>
            <span>{shortDate(first!.date)}</span>
            <span>{closes.length} closes</span>
            <span>{shortDate(last!.date)}</span>
          </figcaption>
        </figure>
      )}
    </>
  )
}

function Actions({ card }: { readonly card: Card }) {
  const command = useRef<HTMLInputElement>(null)
  const { symbol, at, expirations: set } = place.value
  const path = requestPath({
    path: `/v1/exposure/explain/${encodeURIComponent(symbol)}`,
    params: { metric: card },
    at,
    set
  })
  const copy = () => {
    // Browsers offer the clipboard on secure pages only. Elsewhere the text is selected instead.
    if (navigator.clipboard !== undefined) void navigator.clipboard.writeText(command.current?.value ?? '')
    else command.current?.select()
  }
  return (
    <>
      <p class="actions">
        {isNet(card) ? <PaneSwitch card={card} /> : <LineSwitch card={card} />}
        <a class="chip" href={hrefOf({ screen: 'alerts', watch: card, at: undefined })}>
          Alert
        </a>
        <MethodLink method={CARD_NAMES[card].method}>Method</MethodLink>
      </p>
      <p class="actions">
        <input
          class="command"
          ref={command}
          readOnly
          aria-label="The same by command"
          value={commandOf(location.origin, path)}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <button type="button" class="chip" onClick={copy}>
          Copy
        </button>
      </p>
    </>
  )
}

/** Shows a net exposure below the chart. */
function PaneSwitch({ card }: { readonly card: Card }) {
  const shown = shownPanes.value
  const isOn = shown.includes(card)
  const panes = isOn ? shown.filter((each) => each !== card) : [...shown.slice(0, MOST_PANES - 1), card]
  return (
    <button
      type="button"
      class="chip"
      aria-pressed={isOn}
      onClick={() => turn({ panes: panes.length === 0 ? 'none' : panes.join() })}
    >
      Below the chart
    </button>
  )
}

/** Shows the lines of a level in the chart. */
function LineSwitch({ card }: { readonly card: Card }) {
  const group = LEVEL_FIELDS.find(({ field }) => field === fieldOf(card))!.group
  const { levels } = place.value
  const isOn = !hiddenGroups(levels).includes(group)
  return (
    <button
      type="button"
      class="chip"
      aria-pressed={isOn}
      onClick={() => turn({ levels: withGroup(levels, group, !isOn) })}
    >
      In the chart
    </button>
  )
}
