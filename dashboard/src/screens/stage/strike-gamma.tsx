import { level, short } from '../../parts/format.ts'

interface Props {
  readonly strike: number
  readonly gamma: { readonly call_gex: number | null; readonly put_gex: number | null; readonly net_gex: number | null }
  /** Names of the levels at the strike. */
  readonly names: readonly string[] | undefined
}

/** Gamma of a strike in words, for tips beside a picture of strikes. */
export function StrikeGamma({ strike, gamma, names }: Props) {
  return (
    <>
      <b>{level(strike)}</b>
      <span class="call">Call {short(gamma.call_gex)}</span>
      <span class="put">Put {short(gamma.put_gex)}</span>
      <span>Net {short(gamma.net_gex, 'signed')}</span>
      {names !== undefined && <small>{names.join(' · ')}</small>}
    </>
  )
}
