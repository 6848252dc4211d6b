import { age as ageText, fixed, level, NONE, percent, price, short, usd } from '../../parts/format.ts'
import { dayOf, newYork } from '../../state/day/time.ts'
import type { Age } from '../../state/screens/chain-ages.ts'
import type { Unit } from '../../state/screens/screener-columns.ts'
import type { Row } from '../../state/screens/screener-state.ts'

/** Text of a value in the table. */
export function textOf(value: unknown, unit: Unit): string {
  if (typeof value === 'string') return value.replaceAll('_', ' ')
  if (typeof value !== 'number') return NONE
  switch (unit) {
    case 'price':
      return price(value)
    case 'level':
      return level(value)
    case 'usd':
      return usd(value)
    case 'contracts':
      return short(value)
    case 'percent':
      return percent(value, 'plain')
    case 'part':
      return value > 100 ? '> 100\u2009%' : percent(value, 'plain')
    case 'points':
      return fixed(value, 2, 'signed')
    case 'share':
      return percent(value * 100, 'signed')
    case 'days':
      return fixed(value, 0)
    case 'score':
      return fixed(value, 0)
    default:
      return fixed(value, 2)
  }
}

/** Words in the colour of calls or puts: calls if dealers dampen moves or short volatility pays, else puts. */
const TONES: Readonly<Record<string, 'call' | 'put'>> = {
  positive_gamma: 'call',
  negative_gamma: 'put',
  harvestable: 'call',
  toxic_short_vol: 'put',
  dampening: 'call',
  amplifying: 'put'
}

interface CellProps {
  readonly value: unknown
  readonly unit: Unit
  /** Largest absolute value of the column among the loaded rows. */
  readonly most: number
  /** Address of the figure's card; undefined: it has none. */
  readonly card: string | undefined
}

export function Cell({ value, unit, most, card }: CellProps) {
  const words = textOf(value, unit)
  const text =
    card === undefined || typeof value !== 'number' ? (
      words
    ) : (
      <a class="figure-button" href={card}>
        {words}
      </a>
    )
  if (unit === 'word') {
    const tone = typeof value === 'string' ? TONES[value] : undefined
    return (
      <td class="word-cell">
        {tone !== undefined && <i class={`ring ${tone}`} />}
        {text}
      </td>
    )
  }
  if (typeof value !== 'number') return <td class="n">{text}</td>
  if (unit === 'score')
    return (
      <td class="n">
        <span class="gauge" style={{ '--share': `${value}%` }} />
        {text}
      </td>
    )
  const isSigned = unit === 'usd' || unit === 'points' || unit === 'share'
  const whole = unit === 'part' && value > 100 ? 'More than all of it: the rest is of the other sign' : undefined
  if (!isSigned)
    return (
      <td class="n" title={whole}>
        {text}
      </td>
    )
  const tone = value < 0 ? 'put' : 'call'
  return (
    <td class={`n signed ${tone}`}>
      <i style={{ width: `${Math.sqrt(Math.abs(value) / most) * 28}px` }} />
      {text}
    </td>
  )
}

/** Position of the price between the walls and relative to the flip. */
export function Between({ row }: { readonly row: Row }) {
  const { price: now, put_wall: floor, call_wall: ceiling, gamma_flip: flip } = row
  const figures = [floor, ceiling, now].map((each) => (typeof each === 'number' ? each : Number.NaN))
  const [low, high] = [Math.min(...figures), Math.max(...figures)]
  if (!(high > low)) return <td class="between" />
  const place = (value: number) => `${Math.min(100, Math.max(0, ((value - low) / (high - low)) * 100))}%`
  return (
    <td class="between" aria-hidden="true">
      <span>
        <i class="wall put" style={{ left: place(figures[0]!) }} />
        <i class="wall call" style={{ left: place(figures[1]!) }} />
        {typeof flip === 'number' && <i class="at-flip" style={{ left: place(flip) }} />}
        <i class="spot-dot" style={{ left: place(figures[2]!) }} />
      </span>
    </td>
  )
}

/** Age of the chain behind a row; amber if it is late. */
export function AgeCell({ age }: { readonly age: Age | undefined }) {
  if (age === undefined) return <td class="n">{NONE}</td>
  const [date, clock] = newYork(Date.parse(age.asOf)).split('T')
  return (
    <td class={`n age ${age.isLate ? 'late' : ''}`} title={`observed ${dayOf(date!)}, ${clock} ET`}>
      {age.isLate && 'late, '}
      {ageText(age.seconds)}
    </td>
  )
}

const [WIDE, HIGH] = [72, 20] as const

/** The day's prices as a line; empty if none are recorded. */
export function Spark({ prices }: { readonly prices: readonly number[] | undefined }) {
  if (prices === undefined) return <td class="spark" />
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  const points = prices
    .map((each, i) => {
      const [x, y] = [(i * WIDE) / (prices.length - 1), HIGH - 2 - ((each - low) / (high - low || 1)) * (HIGH - 4)]
      return `${x.toFixed(1)},${y.toFixed(1)}`
    })
    .join(' ')
  return (
    <td class="spark">
      <svg
        viewBox={`0 0 ${WIDE} ${HIGH}`}
        aria-hidden="true"
        width={WIDE}
        height={HIGH}
        class={prices.at(-1)! < prices[0]! ? 'put' : 'call'}
      >
        <polyline points={points} fill="none" stroke="currentColor" stroke-width="1.25" />
      </svg>
    </td>
  )
}
