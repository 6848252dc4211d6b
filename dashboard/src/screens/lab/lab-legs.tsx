import { fixed, level, price } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { spot } from '../../state/day/day.ts'
import { shortDate } from '../../state/day/time.ts'
import { place, turn } from '../../state/page/address.ts'
import { type Leg, SHAPE_NAMES, type Shape, shapedLegs } from '../../state/page/legs.ts'
import { MAX_SHOCK } from '../../state/page/place.ts'
import {
  expirations,
  grid,
  lastDay,
  legs,
  listing,
  type Priced,
  picked,
  priced,
  setLegs,
  strikesOf
} from '../../state/screens/lab-state.ts'

/** Buttons for common structures around spot, disabled until it and the listed strikes are known. */
export function Shapes() {
  const [expiry, now] = [picked.value, spot.value]
  const strikes = expiry === undefined ? [] : strikesOf(expiry)
  const isKnown = expiry !== undefined && now !== undefined && strikes.length > 0
  const build = (shape: Shape) => {
    if (isKnown) setLegs(shapedLegs(shape, expiry, strikes, now))
  }
  return (
    <p class="shapes">
      {SHAPE_NAMES.map((shape) => (
        <button type="button" key={shape} disabled={!isKnown} onClick={() => build(shape)}>
          {shape}
        </button>
      ))}
    </p>
  )
}

/** Legs with their prices, and the sliders of the scenario. */
export function Legs() {
  return (
    <Panel
      name="legs"
      title="Legs"
      of={[listing]}
      legend="mid, implied %"
      table={legsTable}
      actions={
        legs.value.length > 0 && (
          <button type="button" class="toggle" title="No legs" aria-label="No legs" onClick={() => setLegs([])}>
            ×
          </button>
        )
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys */}
      <div class="scroll legs-box" tabIndex={0}>
        <Shapes />
        <table class="legs-rows">
          <tbody>
            {priced.value.map((each, i) => (
              <LegRow key={`${i} ${each.leg.expiry}`} {...each} index={i} />
            ))}
          </tbody>
        </table>
        {priced.value.map((each) => {
          const lacking = lackOf(each)
          return lacking === undefined ? null : (
            <p class="trouble" key={lacking}>
              {lacking}
            </p>
          )
        })}
      </div>
      <Sliders />
    </Panel>
  )
}

/** Why a leg cannot be valued. */
function lackOf({ leg, quote, isListed, volatility }: Priced): string | undefined {
  const name = `${level(leg.strike)} ${leg.right === 'C' ? 'call' : 'put'} of ${shortDate(leg.expiry)}`
  if (!isListed) return `The ${name} is not listed: choose another strike or date.`
  if (quote !== undefined && volatility === null) return `The quote of the ${name} gives no volatility.`
  return undefined
}

interface LegRowProps extends Priced {
  readonly index: number
}

function LegRow({ leg, quote, volatility, index }: LegRowProps) {
  const change = (part: Partial<Leg>) =>
    setLegs(legs.value.map((each, i) => (i === index ? { ...each, ...part } : each)))
  const { quantity, right, strike, expiry } = leg
  const listed = strikesOf(expiry)
  const strikes = listed.includes(strike) ? listed : [...listed, strike].sort((a, b) => a - b)
  const dates = expirations.value.map(({ expiration }) => expiration)
  const isSold = quantity < 0
  const name = `leg ${index + 1}`
  return (
    <tr>
      <td>
        <button
          type="button"
          class={`side-of ${isSold ? 'put' : 'call'}`}
          aria-label={`${isSold ? 'Sell' : 'Buy'}, turn ${name}`}
          onClick={() => change({ quantity: -quantity })}
        >
          {isSold ? 'Sell' : 'Buy'}
        </button>
      </td>
      <td>
        <input
          type="number"
          min="1"
          max="9999"
          value={Math.abs(quantity)}
          aria-label={`Contracts of ${name}`}
          onChange={({ currentTarget }) => {
            const count = Math.round(Number(currentTarget.value))
            if (count >= 1 && count <= 9999) change({ quantity: count * Math.sign(quantity) })
          }}
        />
      </td>
      <td>
        <select
          aria-label={`Strike of ${name}`}
          value={String(strike)}
          onChange={({ currentTarget }) => change({ strike: Number(currentTarget.value) })}
        >
          {strikes.map((each) => (
            <option key={each} value={String(each)}>
              {level(each)}
            </option>
          ))}
        </select>
      </td>
      <td>
        <button
          type="button"
          class="right-of"
          aria-label={`${right === 'C' ? 'Call' : 'Put'}, turn ${name}`}
          onClick={() => change({ right: right === 'C' ? 'P' : 'C' })}
        >
          {right === 'C' ? 'call' : 'put'}
        </button>
      </td>
      <td>
        <select
          aria-label={`Expiration of ${name}`}
          value={expiry}
          onChange={({ currentTarget }) => change({ expiry: currentTarget.value })}
        >
          {(dates.includes(expiry) ? dates : [expiry, ...dates]).map((each) => (
            <option key={each} value={each}>
              {shortDate(each)}
            </option>
          ))}
        </select>
      </td>
      <td class="n">{price(quote?.mid)}</td>
      <td class="n faint">{fixed(volatility === null ? null : volatility * 100, 1)}</td>
      <td>
        <button
          type="button"
          class="drop"
          aria-label={`Remove ${name}`}
          onClick={() => setLegs(legs.value.filter((_, i) => i !== index))}
        >
          ×
        </button>
      </td>
    </tr>
  )
}

function Sliders() {
  const { shock } = place.value
  const days = grid.value?.axes.days_forward
  const day = days?.[grid.value!.day] ?? 0
  return (
    <div class="sliders">
      <label>
        <span>Days ahead</span>
        <input
          type="range"
          min="0"
          max={Math.max(1, lastDay.value)}
          step="1"
          disabled={days === undefined}
          value={place.value.ahead}
          onInput={({ currentTarget }) => turn({ ahead: Number(currentTarget.value) })}
        />
        <b>{day}</b>
      </label>
      <label>
        <span>Volatility</span>
        <input
          type="range"
          min={-MAX_SHOCK}
          max={MAX_SHOCK}
          step="1"
          value={shock}
          onInput={({ currentTarget }) => turn({ shock: Number(currentTarget.value) })}
        />
        <b>{fixed(shock, 0, 'signed')} pts</b>
      </label>
    </div>
  )
}

function legsTable() {
  return {
    columns: [
      'quantity (contracts)',
      'right',
      'strike (USD)',
      'expiration',
      'mid (USD per share)',
      'implied volatility (fraction)'
    ],
    rows: priced.value.map(({ leg, quote, volatility }) => [
      leg.quantity,
      leg.right,
      leg.strike,
      leg.expiry,
      quote?.mid ?? null,
      volatility
    ])
  }
}
