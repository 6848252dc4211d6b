import { useEffect } from 'preact/hooks'
import { short } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { at, place } from '../../state/page/address.ts'
import { all as ageSources, ages } from '../../state/screens/chain-ages.ts'
import { VIEW_NAMES } from '../../state/screens/screener-columns.ts'
import { answer, calendar, isAsking, start, trouble } from '../../state/screens/screener-state.ts'
import { startAll } from '../../state/service/figures.ts'
import { ownLists } from '../../state/service/watchlists.ts'
import { Calendar } from './earnings-calendar.tsx'
import { ScreenQuestion } from './screener-question.tsx'
import { columns, Rows } from './screener-rows.tsx'
import '../../style/screener.css'

/** Compares all symbols by conditions and formulas. */
export default function Screener() {
  useEffect(() => {
    ownLists.keep()
    const stops = [start(), calendar.start()]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  const isLive = at.value === undefined
  useEffect(() => (isLive ? startAll(ageSources) : undefined), [isLive])
  const { view } = place.value
  return (
    <main class="screener">
      <h1 class="hidden">Screener</h1>
      <ScreenQuestion />
      <Panel
        name="found"
        title={VIEW_NAMES[view]}
        method="screener"
        of={[{ answer, trouble, isAsking }]}
        legend={<Count />}
        table={rowsTable}
        empty={emptySentence()}
      >
        <Rows />
      </Panel>
      <Calendar linksTo={{ screen: 'ideas', idea: 'report' }} />
    </main>
  )
}

function Count() {
  const found = answer.value
  if (found === undefined) return null
  return (
    <>
      {short(found.total)} of {short(found.looked)} symbols
      {found.missing > 0 && `, ${short(found.missing)} not read yet`}
      {!found.isWhole && `, the first ${found.rows.length} on this plan`}
    </>
  )
}

function emptySentence() {
  if (at.value !== undefined) return 'Screens look at the present: none is kept of a past moment.'
  if (answer.value?.rows.length !== 0) return undefined
  if (answer.value.looked === 0 && place.value.universe === undefined)
    return 'No symbol is loaded yet: the first request for one loads it, and its row follows.'
  if (place.value.universe === 'stars' && place.value.where === undefined)
    return place.value.list === undefined
      ? 'No symbol has a star yet: add some with ☆ in their rows.'
      : 'This list has no symbol yet: the watchlist of the workspace adds some.'
  return 'No symbol meets the conditions.'
}

/** The loaded rows for export, by wire names. */
function rowsTable() {
  const rows = (answer.value?.rows ?? []).filter((row) => row !== undefined)
  const fields = columns.value.map(({ field }) => field)
  const plain = (value: unknown) => (typeof value === 'number' || typeof value === 'string' ? value : null)
  return {
    columns: ['symbol', ...fields, 'as of (UTC)', 'late'],
    rows: rows.map((row) => {
      const age = ages.value.get(row.symbol)
      const figures = fields.map((field) => plain(row[field]))
      return [row.symbol, ...figures, age?.asOf ?? null, age === undefined ? null : String(age.isLate)]
    })
  }
}
