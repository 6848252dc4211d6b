import { NONE, percent } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { dayOf } from '../../state/day/time.ts'
import { at, hrefOf } from '../../state/page/address.ts'
import type { Place } from '../../state/page/place.ts'
import { calendar } from '../../state/screens/screener-state.ts'

/** Coming earnings reports by date, with the move that options imply. `linksTo`: part of the address of a company. */
export function Calendar({ linksTo }: { readonly linksTo: Partial<Place> }) {
  const events = at.value === undefined ? (calendar.answer.value?.events ?? []) : []
  const dates = [...new Set(events.map(({ earnings_date }) => earnings_date))]
  return (
    <Panel
      name="calendar"
      title="Earnings"
      method="earnings"
      of={[calendar]}
      legend="move that options price"
      table={calendarTable}
      empty={
        at.value !== undefined
          ? 'The earnings calendar exists for the present only.'
          : calendar.answer.value !== undefined && events.length === 0
            ? 'No loaded company reports in the next weeks.'
            : undefined
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys */}
      <div class="scroll" tabIndex={0}>
        {dates.map((date) => (
          <section key={date} aria-label={dayOf(date)}>
            <h3>{dayOf(date)}</h3>
            <ul>
              {events
                .filter(({ earnings_date }) => earnings_date === date)
                .map(({ symbol, timing, implied_move_pct: move, is_confirmed }) => (
                  <li key={symbol}>
                    <a href={hrefOf({ ...linksTo, symbol, expiry: undefined, range: undefined })}>{symbol}</a>
                    <small>
                      {timing === null ? '' : TIMINGS[timing]}
                      {is_confirmed ? '' : ', expected'}
                    </small>
                    <b>{move === null ? NONE : `±${percent(move, 'plain')}`}</b>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </Panel>
  )
}

export const TIMINGS = { bmo: 'before the open', amc: 'after the close', dmh: 'during the day' } as const

function calendarTable() {
  return {
    columns: ['date', 'symbol', 'timing', 'implied_move (%)', 'is_confirmed'],
    rows: (calendar.answer.value?.events ?? []).map((each) => [
      each.earnings_date,
      each.symbol,
      each.timing,
      each.implied_move_pct,
      each.is_confirmed ? 'yes' : 'no'
    ])
  }
}
