import { useRef } from 'preact/hooks'
import { DefaultWords } from '../../parts/answer-words.tsx'
import { MethodLink } from '../../parts/method-link.tsx'
import { Contents } from '../../parts/panel.tsx'
import { Sentence } from '../../parts/sentence.tsx'
import { shownPanes } from '../../state/chart/chart-state.ts'
import { FIELDS } from '../../state/chart/fields.ts'
import { hiddenGroups, LEVEL_FIELDS, withGroup } from '../../state/chart/level-lines.ts'
import { date, hours } from '../../state/day/day.ts'
import { isDrawn } from '../../state/day/price-stage.ts'
import { clock, newYork, shortDate } from '../../state/day/time.ts'
import { hrefOf, place, turn } from '../../state/page/address.ts'
import { type Card, type LevelGroup, MOST_PANES } from '../../state/page/place.ts'
import { field, isExplained, isOfSession, past } from '../../state/screens/card-state.ts'
import { commandOf, requestPath } from '../../state/service/request-text.ts'
import { CARD_NAMES } from './card-names.ts'
import { historyWords, isStrike, sessionWords } from './history-words.ts'
import { linePath } from './line-path.ts'

/** Earlier values of a figure, and where else it can be had. */
export function HistoryTab({ card }: { readonly card: Card }) {
  return (
    <>
      {field.value === undefined ? (
        <p>{NOT_KEPT}</p>
      ) : (
        <Contents of={[past]}>
          {isOfSession(field.value) ? <Session card={card} field={field.value} /> : <Closes card={card} />}
        </Contents>
      )}
      <Actions card={card} />
    </>
  )
}

const NOT_KEPT = 'The service keeps no history of this figure for a part of the expirations.'

/** Values of the figure with their times in milliseconds. */
function valuesOf(): readonly { readonly time: number; readonly value: number }[] {
  const answer = past.answer.value
  const values = field.value === undefined ? undefined : answer?.columns[field.value]
  return (answer?.t ?? []).flatMap((text, i) => {
    const value = values?.[i]
    return value === null || value === undefined ? [] : [{ time: Date.parse(text), value }]
  })
}

/** Closes of the sessions that are over. */
function Closes({ card }: { readonly card: Card }) {
  if (past.answer.value === undefined) return null
  const closes = valuesOf().flatMap(({ time, value }) => {
    const day = newYork(time).slice(0, 10)
    const isRunning = day === date.value && hours.value !== undefined && time < hours.value.close
    return isRunning ? [] : [{ date: day, value }]
  })
  return (
    <>
      <p class="of">
        <DefaultWords />
      </p>
      <Line
        card={card}
        words={historyWords(card, closes)}
        values={closes.map(({ value }) => value)}
        from={closes[0] && shortDate(closes[0].date)}
        to={closes[0] && shortDate(closes.at(-1)!.date)}
        count={`${closes.length} closes`}
      />
    </>
  )
}

/** The session so far. */
function Session({ card, field }: { readonly card: Card; readonly field: string }) {
  if (past.answer.value === undefined) return null
  const samples = valuesOf()
    .filter(({ time }) => isDrawn(time))
    .map(({ time, value }) => ({ time: clock(time, false), value }))
  return (
    <>
      <p class="of">{!field.startsWith('zero_dte.') && <DefaultWords />}</p>
      <Line
        card={card}
        words={sessionWords(card, samples)}
        values={samples.map(({ value }) => value)}
        from={samples[0]?.time}
        to={samples.at(-1)?.time}
        count="this session"
      />
    </>
  )
}

interface LineProps {
  readonly card: Card
  readonly words: string
  readonly values: readonly number[]
  readonly from: string | undefined
  readonly to: string | undefined
  readonly count: string
}

function Line({ card, words, values, from, to, count }: LineProps) {
  return (
    <>
      <p>
        <b>
          <Sentence text={words} />
        </b>
      </p>
      {values.length > 1 && (
        <figure class="closes">
          <svg viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label={words}>
            <path d={linePath(values, isStrike(card))} />
          </svg>
          <figcaption>
            <span>{from}</span>
            <span>{count}</span>
            <span>{to}</span>
          </figcaption>
        </figure>
      )}
    </>
  )
}

/** The request that answers what the card shows, live or at the moment of the page. */
function pathOf(card: Card): string {
  const { symbol, at, expirations, cardSet } = place.value
  const of = encodeURIComponent(symbol)
  return isExplained(card)
    ? requestPath({ path: `/v1/exposure/explain/${of}`, params: { metric: card }, at, set: cardSet ?? expirations })
    : requestPath({ path: `/v1/series/${of}`, params: { fields: card, every: '5m' }, at, set: undefined })
}

function Actions({ card }: { readonly card: Card }) {
  const command = useRef<HTMLInputElement>(null)
  const copy = () => {
    // Browsers offer the clipboard on secure pages only. Elsewhere the text is selected instead.
    if (navigator.clipboard !== undefined) void navigator.clipboard.writeText(command.current?.value ?? '')
    else command.current?.select()
  }
  return (
    <>
      <p class="actions">
        <ChartSwitch />
        {isExplained(card) && place.value.cardSet === undefined && (
          <a class="chip" href={hrefOf({ screen: 'alerts', watch: card, at: undefined })}>
            Alert
          </a>
        )}
        <MethodLink method={CARD_NAMES[card].method}>Method</MethodLink>
      </p>
      <p class="actions">
        <input
          class="command"
          ref={command}
          readOnly
          aria-label="The same by command"
          value={commandOf(location.origin, pathOf(card))}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <button type="button" class="chip" onClick={copy}>
          Copy
        </button>
      </p>
    </>
  )
}

/** Shows the figure in the chart or below it, if the page has the chart and the chart has the figure. */
function ChartSwitch() {
  if (place.value.screen !== 'overview' || field.value === undefined) return null
  if (Object.hasOwn(FIELDS, field.value)) return <PaneSwitch field={field.value} />
  const line = LEVEL_FIELDS.find((each) => each.field === field.value)
  return line === undefined ? null : <LineSwitch group={line.group} />
}

/** Shows a figure below the chart. */
function PaneSwitch({ field }: { readonly field: string }) {
  const shown = shownPanes.value
  const isOn = shown.includes(field)
  const panes = isOn ? shown.filter((each) => each !== field) : [...shown.slice(0, MOST_PANES - 1), field]
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
function LineSwitch({ group }: { readonly group: LevelGroup }) {
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
