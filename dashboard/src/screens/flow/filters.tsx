import { usd } from '../../parts/format.ts'
import { shortDate } from '../../state/day/time.ts'
import { place, turn } from '../../state/page/address.ts'
import { type Place, PREMIUMS, RIGHTS, SIDES } from '../../state/page/place.ts'
import { expirations } from '../../state/screens/flow-state.ts'

interface ChoiceProps {
  readonly name: string
  /** The first option stands for no choice. */
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly value: string | undefined
  readonly choose: (value: string | undefined) => void
}

/** A select field. */
export function Choice({ name, options, value, choose }: ChoiceProps) {
  return (
    <select
      aria-label={name}
      class={value === undefined ? undefined : 'set'}
      value={value ?? ''}
      onChange={({ currentTarget }) => choose(currentTarget.value === '' ? undefined : currentTarget.value)}
    >
      {options.map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </select>
  )
}

const set = (change: Partial<Place>) => turn(change)
const SIDE_WORDS = { buy: 'bought', sell: 'sold', mid: 'between' } as const

/** Filters of prints and signals: side, right, premium, expiration. */
export function Filters() {
  const { side, right, least, expiry } = place.value
  return (
    <div class="filters">
      <Choice
        name="Side"
        options={[['', 'any side'], ...SIDES.map((each) => [each, SIDE_WORDS[each]] as const)]}
        value={side}
        choose={(value) => set({ side: SIDES.find((each) => each === value) })}
      />
      <Choice
        name="Right"
        options={[
          ['', 'calls, puts'],
          ['C', 'calls'],
          ['P', 'puts']
        ]}
        value={right}
        choose={(value) => set({ right: RIGHTS.find((each) => each === value) })}
      />
      <Choice
        name="Minimum premium"
        options={[['', 'any premium'], ...PREMIUMS.map((each) => [String(each), `from ${usd(each)}`] as const)]}
        value={least === undefined ? undefined : String(least)}
        choose={(value) => set({ least: PREMIUMS.find((each) => String(each) === value) })}
      />
      <Choice
        name="Expiration"
        options={[['', 'all dates'], ...expirations.value.map((each) => [each, shortDate(each)] as const)]}
        value={expiry}
        choose={(value) => set({ expiry: value })}
      />
    </div>
  )
}
