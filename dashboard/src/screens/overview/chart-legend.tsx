import type { ReadonlySignal } from '@preact/signals'
import { Fragment } from 'preact'
import type { Cross } from '../../charts/time/engine.ts'
import { momentText } from '../../charts/time/layers/crosshair.ts'
import { CardButton } from '../../parts/card-button.tsx'
import { level, percent, price, short } from '../../parts/format.ts'
import type { Chart } from '../../state/chart/chart-state.ts'
import { STEP_LENGTHS } from '../../state/chart/period.ts'
import { figureOf } from '../../state/page/card-figure.ts'

interface Props {
  readonly chart: Pick<Chart, 'history' | 'isUpToDate' | 'shownLevels' | 'carried'>
  readonly cross: ReadonlySignal<Cross | undefined>
}

/**
 * Symbol, moment and prices of the bar under the pointer, or of the last one, and every level at that moment. It waits
 * for the answer of the moment: cut from a later answer, the last bar would not be the last.
 */
export function ChartLegend({ chart, cross }: Props) {
  const { history, isUpToDate } = chart
  const count = history.value?.bars.t.length ?? 0
  const at = Math.min(count - 1, cross.value?.bar ?? count - 1)
  if (at < 0 || !(isUpToDate.value || cross.value !== undefined)) return null
  return (
    <div class="chart-legend">
      <Figures chart={chart} at={at} />
    </div>
  )
}

/** Levels that a narrow chart names. */
const ALWAYS = 3

function Figures({ chart: { history, shownLevels, carried }, at }: Pick<Props, 'chart'> & { readonly at: number }) {
  const { symbol, every, bars, columns, volumeOf } = history.value!
  const [before, close] = [bars.c[at - 1], bars.c[at]!]
  const change = before === undefined ? undefined : (close / before - 1) * 100
  const columnAt = (field: string) => columns[field]?.[at]
  return (
    <>
      <p>
        <b>{symbol}</b> <span>{every}</span> <strong>{momentText(bars.t[at]!, STEP_LENGTHS[every])}</strong>{' '}
        <Price name="O" value={bars.o[at]!} isExtra />
        <Price name="H" value={bars.h[at]!} isExtra />
        <Price name="L" value={bars.l[at]!} isExtra />
        <Price name="C" value={close} />
        {change !== undefined && <span>{percent(change)} </span>}
        {volumeOf !== null && !Number.isNaN(bars.v[at]!) && (
          <span class="extra">
            {volumeOf === 'shares' ? 'Shares' : 'Contracts'} <b>{short(bars.v[at])}</b>
          </span>
        )}
      </p>
      <p>
        {shownLevels.value.map(({ field, name, tone }, i) => (
          <Fragment key={field}>
            <span class={i < ALWAYS ? `of-${tone}` : `of-${tone} extra`}>
              {name}{' '}
              <b>
                <CardButton of={figureOf(field)} name={name} value={level(figure(columnAt(field)))} />
              </b>
            </span>{' '}
          </Fragment>
        ))}
      </p>
      {carried.value !== undefined && carried.value.length > 0 && (
        <p class="carried">
          {carried.value.map(({ field, name, tone, of, values }, i) => (
            <span key={field} class={i < ALWAYS ? `of-${tone}` : `of-${tone} extra`}>
              {name} {level(figure(of[at]))} → <b>{level(figure(values[at]))}</b>{' '}
            </span>
          ))}
        </p>
      )}
    </>
  )
}

const figure = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? undefined : value)

function Price({
  name,
  value,
  isExtra = false
}: {
  readonly name: string
  readonly value: number
  readonly isExtra?: boolean
}) {
  return (
    <span class={isExtra ? 'extra' : ''}>
      {name} <b>{price(value)}</b>{' '}
    </span>
  )
}
