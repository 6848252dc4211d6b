import { useEffect, useRef } from 'preact/hooks'
import { level, short } from '../../parts/format.ts'
import { session, spot } from '../../state/day/day.ts'
import { shortDate } from '../../state/day/time.ts'
import { hrefOf, place } from '../../state/page/address.ts'
import { expiration, matrix } from '../../state/screens/expirations-state.ts'
import { tintOf } from '../../state/screens/matrix.ts'
import { marks, term } from '../../state/screens/overview-state.ts'

/** Cells above this share of the largest one are written in full contrast. */
const LOUD = 0.04

function styleOf(value: number | null, most: number) {
  if (value === null || value === 0) return undefined
  const tint = `color-mix(in oklab, var(--${value > 0 ? 'call' : 'put'}) ${tintOf(value, most)}%, var(--panel))`
  return Math.abs(value) > most * LOUD ? { background: tint, color: 'var(--ink)' } : { background: tint }
}

function daysTo(date: string): number | undefined {
  const today = session.answer.value?.date
  return today === undefined ? undefined : Math.round((Date.parse(date) - Date.parse(today)) / 86_400_000)
}

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
                {short(net, 'plain', 2)}
              </td>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.rows.map(({ strike, total, cells }, i) => (
            <tr key={strike} class={i === below ? 'spot-row' : undefined}>
              <th scope="row" class={named.get(strike)?.tone} title={named.get(strike)?.names.join(', ')}>
                {level(strike)}
              </th>
              <td class="bar">
                <span class="hidden">{short(total, 'plain', 2)}</span>
                <i
                  class={total < 0 ? 'put' : 'call'}
                  style={{ width: `${Math.sqrt(Math.abs(total) / found.mostTotal) * 50}%` }}
                />
              </td>
              {cells.map((value, column) => (
                <td key={found.columns[column]!.date} style={styleOf(value, found.most)}>
                  {value === null ? '' : short(value, 'plain', 2)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
