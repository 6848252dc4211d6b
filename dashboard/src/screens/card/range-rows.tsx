import type { Card } from '../../state/page/place.ts'
import { figureText } from './card-names.ts'
import type { Range } from './sure-words.ts'

interface Props {
  readonly card: Card
  readonly value: number | null
  readonly ranges: readonly Range[]
}

/** Uncertainties of a figure on one scale: nine of ten cases, the middle half, and the figure as it is shown. */
export function RangeRows({ card, value, ranges }: Props) {
  if (ranges.length === 0) return null
  const ends = [...ranges.flatMap(({ low, high }) => [low, high]), ...(value === null ? [] : [value])]
  const [least, most] = [Math.min(...ends), Math.max(...ends)]
  const percentOf = (at: number) => (most === least ? 50 : (100 * (at - least)) / (most - least))
  const span = (from: number, to: number) => ({
    left: `${percentOf(from)}%`,
    width: `${percentOf(to) - percentOf(from)}%`
  })
  return (
    <dl class="ranges">
      {ranges.map(({ name, hint, low, high, half }) => (
        <div key={name}>
          <dt title={hint}>{name}</dt>
          <dd>
            {figureText(card, low)} – {figureText(card, high)}
          </dd>
          <dd class="drawn" aria-hidden="true">
            <i style={span(low, high)} />
            {half !== undefined && <i class="half" style={span(...half)} />}
            {value !== null && <i class="now" style={{ left: `${percentOf(value)}%` }} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}
