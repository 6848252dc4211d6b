import type { Scene } from '../../charts/time/scene.ts'
import { level, NONE, price, short } from '../../parts/format.ts'
import { newYork } from '../../state/day/time.ts'

/** A figure of the seen bars: its name with unit, its values, and how it is written. */
interface Column {
  readonly name: string
  readonly values: Float64Array
  readonly write: (value: number) => string
}

/** The seen bars as rows: of the file with full precision, of the page as it writes figures. */
export interface SeenBars {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
  readonly written: readonly (readonly string[])[]
}

const known = (value: number) => (Number.isNaN(value) ? null : value)

/** The bars in sight with their levels, figures and compared closes, the oldest first. Moments are in New York. */
export function seenBars({ data, span }: Pick<Scene, 'data' | 'span'>): SeenBars {
  const { bars, lines, panes, compared } = data
  const figures: readonly Column[] = [
    { name: 'open (USD)', values: bars.o, write: price },
    { name: 'high (USD)', values: bars.h, write: price },
    { name: 'low (USD)', values: bars.l, write: price },
    { name: 'close (USD)', values: bars.c, write: price },
    { name: 'volume', values: bars.v, write: (value) => short(value) },
    ...lines.map(({ name, values }) => ({ name: `${name} (USD)`, values, write: level })),
    ...panes.map(({ title, values, write }) => ({ name: title, values, write })),
    ...compared.map(({ symbol, values }) => ({ name: `${symbol} close (USD)`, values, write: price }))
  ]
  const first = Math.max(0, Math.floor(span.from))
  const last = Math.min(bars.t.length, Math.ceil(span.to)) - 1
  const seen = Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => first + k)
  const moment = (bar: number) => newYork(bars.t[bar]!).slice(0, data.every === '1d' ? 10 : 16)
  return {
    columns: ['begins (New York)', ...figures.map(({ name }) => name)],
    rows: seen.map((bar) => [moment(bar), ...figures.map(({ values }) => known(values[bar]!))]),
    written: seen.map((bar) => [
      moment(bar).replace('T', ' '),
      ...figures.map(({ values, write }) => (Number.isNaN(values[bar]!) ? NONE : write(values[bar]!)))
    ])
  }
}
