import { short } from '../../parts/format.ts'
import { gex, marks, today } from '../../state/screens/overview-state.ts'
import { StrikeGamma } from '../stage/strike-gamma.tsx'

const strikesOf = () => gex.answer.value?.strikes ?? []

/** Figures of the strike under the pointer. */
export function Tip({ strike }: { readonly strike: number }) {
  const found = strikesOf().find((each) => each.strike === strike)
  if (found === undefined) return null
  const expiring = today.value?.strikes.find((each) => each.strike === strike)
  const names = marks.value.find(({ value }) => value === strike)?.names
  return (
    <>
      <StrikeGamma strike={strike} gamma={found} names={names} />
      <small>
        OI {short(found.call_oi)} / {short(found.put_oi)} · change {short(found.call_oi_change, 'signed')} /{' '}
        {short(found.put_oi_change, 'signed')} · volume {short(found.call_volume)} / {short(found.put_volume)}
      </small>
      {expiring !== undefined && <small>expiring today: net {short(expiring.net_gex, 'signed')}</small>}
    </>
  )
}

/** Gamma of each strike, for export. */
export function strikesTable() {
  return {
    columns: [
      'strike (USD)',
      'call_gex (USD per 1 %)',
      'put_gex',
      'net_gex',
      'call_oi',
      'put_oi',
      'call_volume',
      'put_volume'
    ],
    rows: strikesOf().map((each) => [
      each.strike,
      each.call_gex,
      each.put_gex,
      each.net_gex,
      each.call_oi,
      each.put_oi,
      each.call_volume,
      each.put_volume
    ])
  }
}
