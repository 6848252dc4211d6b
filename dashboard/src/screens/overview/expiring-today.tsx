import { CardButton } from '../../parts/card-button.tsx'
import { useFocus } from '../../parts/focus-context.ts'
import { level, price, range, usd } from '../../parts/format.ts'
import type { CardFigure } from '../../state/page/card-figure.ts'

/** Formats 3.7 hours as "3h 42m". */
export function duration(hours: number): string {
  const minutes = Math.round(hours * 60)
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, '0')}m`
}

export function ExpiringToday() {
  const answer = useFocus().exposures.today.value
  if (answer === undefined) return null
  const { expected_move: move, pin_risk: pin, decay } = answer
  return (
    <div class="expiring">
      <div class="clock" style={{ '--left': `${answer.time_to_close_pct}%` }}>
        <b>{answer.expired ? 'Expired' : duration(answer.time_to_close_hours)}</b>
        {!answer.expired && <span>to the close</span>}
      </div>
      <dl>
        <Fact
          name="Range left, 1σ"
          value={range(move.lower_bound, move.upper_bound)}
          of={{ card: 'zero_dte.remaining_1sd_dollars' }}
        />
        <Fact name="Straddle" value={price(move.straddle_price)} />
        <Fact name="Magnet" value={level(pin.magnet_strike)} of={{ card: 'magnet' }} />
        <div>
          <dt>Pin score</dt>
          <dd>
            <i class="gauge" style={{ '--share': `${pin.pin_score}%` }} />{' '}
            <CardButton of={{ card: 'zero_dte.pin_score' }} name="Pin score" value={String(pin.pin_score)} />
          </dd>
        </div>
        <Fact
          name="Theta per hour"
          value={usd(decay.theta_per_hour_remaining)}
          of={{ card: 'zero_dte.theta_per_hour' }}
        />
      </dl>
    </div>
  )
}

interface FactProps {
  readonly name: string
  readonly value: string
  readonly of?: CardFigure
}

function Fact({ name, value, of }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <CardButton of={of} name={name} value={value} />
      </dd>
    </div>
  )
}
