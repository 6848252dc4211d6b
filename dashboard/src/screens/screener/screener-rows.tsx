import { computed, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { shortDate } from '../../state/day/time.ts'
import { go, hrefOf, place, turn } from '../../state/page/address.ts'
import { figureOf } from '../../state/page/card-figure.ts'
import { stars, toggleStar } from '../../state/page/stars.ts'
import { ages } from '../../state/screens/chain-ages.ts'
import { COLUMNS, type Column, formulasOf, nextSort, sortKeysOf } from '../../state/screens/screener-columns.ts'
import { answer, inSight, nextReport, type Row } from '../../state/screens/screener-state.ts'
import { sparks, startSparks } from '../../state/screens/sparks.ts'
import { AgeCell, Between, Cell, Spark } from './cell.tsx'

/** Height of a row, CSS pixels. The height of rows outside the view is computed from it. */
const ROW = 32
/** Rows drawn beyond the visible ones, so that scrolling shows no gaps. */
const BEYOND = 8

/** Columns of the view, then those of the formulas. */
export const columns = computed((): readonly Column[] => [
  ...COLUMNS[place.value.view],
  ...formulasOf(place.value.formula).map(({ alias }): Column => ({ field: alias, name: alias, unit: 'ratio' }))
])

const symbolsInSight = computed(() => {
  const [first, last] = inSight.value
  return (answer.value?.rows.slice(first, last + 1) ?? []).flatMap((row) => (row === undefined ? [] : [row.symbol]))
})

/** Largest absolute value of each column, for the lengths of bars. */
const largest = computed(() => {
  const most = new Map<string, number>()
  for (const row of answer.value?.rows ?? [])
    for (const { field } of columns.value) {
      const value = row?.[field]
      if (typeof value === 'number') most.set(field, Math.max(most.get(field) ?? 0, Math.abs(value)))
    }
  return most
})

/** The result of a query. Only visible rows are in the page. */
export function Rows() {
  const box = useRef<HTMLDivElement>(null)
  const top = useSignal(0)
  const height = useSignal(600)
  useEffect(() => startSparks(symbolsInSight), [])
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      height.value = entry!.contentRect.height
    })
    watch.observe(box.current!)
    return () => watch.disconnect()
  }, [])
  const rows = answer.value?.rows ?? []
  const first = Math.max(0, Math.min(Math.floor(top.value / ROW), rows.length - 1))
  const last = Math.max(first, Math.min(rows.length - 1, Math.ceil((top.value + height.value) / ROW)))
  useEffect(() => {
    inSight.value = [first, last]
  }, [first, last])
  const [from, to] = [Math.max(0, first - BEYOND), Math.min(rows.length, last + 1 + BEYOND)]
  const shown = columns.value
  const keys = useMemo(() => new Map(sortKeysOf(place.value.sort).map((key) => [key.name, key])), [place.value.sort])
  const hasWalls = place.value.view === 'levels'
  const hasSparks = sparks.value.size > 0
  const width = shown.length + (hasWalls ? 4 : 3) + (hasSparks ? 1 : 0)

  const press = (event: KeyboardEvent) => {
    const row = (event.target as HTMLElement).closest('tr')
    const at = Number(row?.getAttribute('aria-rowindex')) - 2
    if (!(at >= 0)) return
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const next = Math.min(rows.length - 1, Math.max(0, at + step))
      const target = box.current!.querySelector<HTMLElement>(`tr[aria-rowindex="${next + 2}"] a`)
      target?.focus({ preventScroll: true })
      keepInSight(box.current!, next)
    } else if (event.key === 's') {
      event.preventDefault()
      toggleStar(rows[at]!.symbol)
    }
  }

  return (
    <div
      class="scroll screen-box"
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys
      tabIndex={0}
      onScroll={(event) => {
        top.value = event.currentTarget.scrollTop
      }}
    >
      <table class="screen" aria-rowcount={rows.length + 1} onKeyDown={press}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">
              <Sorter name="symbol" title="Symbol" keys={keys} />
            </th>
            {hasSparks && <th scope="col">Today</th>}
            {shown.map(({ field, name, unit }) => (
              <th
                key={field}
                scope="col"
                class={unit === 'word' ? undefined : 'n'}
                aria-sort={sorted(keys.get(field)?.isDown)}
              >
                <Sorter name={field} title={name} keys={keys} />
              </th>
            ))}
            {hasWalls && <th scope="col">Between the walls</th>}
            <th scope="col">Reports</th>
            <th scope="col" class="n">
              Age
            </th>
          </tr>
        </thead>
        <tbody>
          <Gap rows={from} columns={width} />
          {rows
            .slice(from, to)
            .map((row, i) =>
              row === undefined ? (
                <Gap key={`gap ${from + i}`} rows={1} columns={width} />
              ) : (
                <Held
                  key={row.symbol}
                  row={row}
                  index={from + i}
                  shown={shown}
                  hasWalls={hasWalls}
                  hasSparks={hasSparks}
                />
              )
            )}
          <Gap rows={rows.length - to} columns={width} />
        </tbody>
      </table>
    </div>
  )
}

const sorted = (isDown: boolean | undefined) =>
  isDown === undefined ? undefined : isDown ? ('descending' as const) : ('ascending' as const)

interface SorterProps {
  readonly name: string
  readonly title: string
  readonly keys: ReadonlyMap<string, { readonly isDown: boolean }>
}

/** Column head that sorts: descending, ascending, then in the order of the service. */
function Sorter({ name, title, keys }: SorterProps) {
  const key = keys.get(name)
  return (
    <button type="button" onClick={() => turn({ sort: nextSort(place.value.sort, name) })}>
      {title}
      {key !== undefined && <span aria-hidden="true">{key.isDown ? ' ▾' : ' ▴'}</span>}
    </button>
  )
}

function Gap({ rows, columns: width }: { readonly rows: number; readonly columns: number }) {
  if (rows <= 0) return null
  return (
    <tr class="gap" style={{ height: `${rows * ROW}px` }}>
      <td colSpan={width} />
    </tr>
  )
}

/** Address of the card of a figure of a symbol; undefined if the field has none. */
function cardAddress(symbol: string, field: string): string | undefined {
  const of = figureOf(field)
  return of && hrefOf({ screen: 'overview', symbol, expiry: undefined, range: undefined, card: of.card })
}

interface HeldProps {
  readonly row: Row
  readonly index: number
  readonly shown: readonly Column[]
  readonly hasWalls: boolean
  readonly hasSparks: boolean
}

function Held({ row, index, shown, hasWalls, hasSparks }: HeldProps) {
  const { symbol } = row
  const isStar = stars.value.includes(symbol)
  const report = nextReport.value.get(symbol)
  const open = () => go({ screen: 'overview', symbol, expiry: undefined, range: undefined })
  return (
    <tr
      aria-rowindex={index + 2}
      onClick={(event) => (event.target as HTMLElement).closest('a, button') === null && open()}
    >
      <th scope="row">
        <button
          type="button"
          class="star"
          aria-pressed={isStar}
          aria-label={`Star ${symbol}`}
          tabIndex={-1}
          onClick={() => toggleStar(symbol)}
        >
          {isStar ? '★' : '☆'}
        </button>
        <a href={hrefOf({ screen: 'overview', symbol, expiry: undefined, range: undefined })}>{symbol}</a>
      </th>
      {hasSparks && <Spark prices={sparks.value.get(symbol)} />}
      {shown.map(({ field, unit }) => (
        <Cell
          key={field}
          value={row[field]}
          unit={unit}
          most={largest.value.get(field) || 1}
          card={cardAddress(symbol, field)}
        />
      ))}
      {hasWalls && <Between row={row} />}
      <td class="reports">
        {report !== undefined && (
          <>
            {shortDate(report.earnings_date)} <small>{report.timing}</small>
          </>
        )}
      </td>
      <AgeCell age={ages.value.get(symbol)} />
    </tr>
  )
}

/** Scrolls a row into view if the head or the edge hides it. */
function keepInSight(box: HTMLElement, row: number): void {
  const head = box.querySelector('thead')!.offsetHeight
  const [above, below] = [row * ROW, (row + 1) * ROW + head]
  if (above < box.scrollTop) box.scrollTop = above
  else if (below > box.scrollTop + box.clientHeight) box.scrollTop = below - box.clientHeight
}
