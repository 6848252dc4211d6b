import { useEffect, useRef } from 'preact/hooks'
import { CardButton } from '../../parts/card-button.tsx'
import { level, short } from '../../parts/format.ts'
import { session, spot } from '../../state/day/day.ts'
import { figureOfLevel, type Mark } from '../../state/day/level-marks.ts'
import { shortDate } from '../../state/day/time.ts'
import { hrefOf, place } from '../../state/page/address.ts'
import { EXPLAINED } from '../../state/page/place.ts'
import { expiration, METRIC_WORDS, matrix } from '../../state/screens/expirations-state.ts'
import { tintOf } from '../../state/screens/matrix.ts'
import { marks, term } from '../../state/screens/overview-state.ts'

/** Cells below this share of the largest one are left blank, so that those that matter stand out. */
const FAINT = 0.01
/** Cells above this share of the largest one are written in full contrast. */
const LOUD = 0.04

function styleOf(value: number | null, most: number) {
  if (value === null || value === 0) return undefined
  const tint = `color-mix(in oklab, var(--${value > 0 ? 'call' : 'put'}) ${tintOf(value, most)}%, var(--panel))`
  return Math.abs(value) > most * LOUD ? { background: tint, color: 'var(--ink)' } : { background: tint }
}

/** A figure; a faint one is in its tooltip and for screen readers only. */
function Cell({ value, most }: { readonly value: number | null; readonly most: number }) {
  if (value === null) return <td />
  const text = short(value, 'plain', 2)
  const isFaint = Math.abs(value) < most * FAINT
  return (
    <td style={styleOf(value, most)} title={isFaint ? text : undefined}>
      {isFaint ? <span class="hidden">{text}</span> : text}
    </td>
  )
}

function daysTo(date: string): number | undefined {
  const today = session.answer.value?.date
  return today === undefined ? undefined : Math.round((Date.parse(date) - Date.parse(today)) / 86_400_000)
}

/** The figure of the first level at a strike that has a card. */
const figureOfMark = (mark: Mark | undefined) =>
  mark?.names.map((name) => figureOfLevel(name, undefined)).find((each) => each !== undefined)

/** An HTML table, so that it can be read aloud and copied into a spreadsheet. */
export function MatrixTable() {
  const box = useRef<HTMLDivElement>(null)
  const found = matrix.value
  const now = spot.value
  const below = found === undefined || now === undefined ? -1 : found.rows.findIndex(({ strike }) => strike < now)
  const key = `${place.value.symbol} ${place.value.metric} ${found === undefined}`
  // Scrolls to spot once, not at every tick.
  useEffect(() => {
    const row = box.current?.querySelector<HTMLElement>('.spot-row')
    if (row !== null && row !== undefined) box.current!.scrollTop = row.offsetTop - box.current!.clientHeight / 2
  }, [key])
  if (found === undefined) return null
  const { metric } = place.value
  const card = EXPLAINED.find((each) => each === `net_${metric}`)
  const named = new Map(marks.value.map((mark) => [mark.value, mark]))
  const monthly = new Set(term.answer.value?.by_expiry.filter((each) => each.is_opex).map((each) => each.expiration))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys
    <div class="scroll grid" ref={box} tabIndex={0}>
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">Strike</th>
            <th scope="col">Total</th>
            {found.columns.map(({ date }) => (
              <th key={date} scope="col" class={monthly.has(date) ? 'monthly' : undefined}>
                <a href={hrefOf({ expiry: date })} aria-current={date === expiration.value ? 'true' : undefined}>
                  {shortDate(date)}
                  <small>{daysTo(date) ?? '–'}d</small>
                </a>
              </th>
            ))}
          </tr>
          <tr class="sum">
            <th scope="row">All</th>
            <td />
            {found.columns.map(({ date, net }) => (
              <td key={date} class={net < 0 ? 'put' : 'call'}>
                <CardButton
                  of={card && { card, set: date }}
                  name={`${METRIC_WORDS[metric].name}, ${shortDate(date)}`}
                  value={short(net, 'plain', 2)}
                />
              </td>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.rows.map(({ strike, total, cells }, i) => (
            <tr key={strike} class={i === below ? 'spot-row' : undefined}>
              <th scope="row" class={named.get(strike)?.tone} title={named.get(strike)?.names.join(', ')}>
                <CardButton
                  of={figureOfMark(named.get(strike))}
                  name={named.get(strike)?.names[0] ?? ''}
                  value={level(strike)}
                />
              </th>
              <td class="bar">
                <span class="hidden">{short(total, 'plain', 2)}</span>
                <i
                  class={total < 0 ? 'put' : 'call'}
                  style={{ width: `${Math.sqrt(Math.abs(total) / found.mostTotal) * 50}%` }}
                />
              </td>
              {cells.map((value, column) => (
                <Cell key={found.columns[column]!.date} value={value} most={found.most} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
