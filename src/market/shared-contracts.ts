import type { Chain, Expiration } from './chain.ts'
import { isLive } from './clock.ts'

/** Calls `visit` with the slots of every contract that both chains list and that is live at the second chain's moment. */
export function eachShared(held: Chain, chain: Chain, visit: (before: number, after: number) => void): void {
  const listed = new Map(chain.expirations.map((expiration) => [nameOf(expiration), expiration]))
  for (const one of liveExpirations(held, chain)) {
    const other = listed.get(nameOf(one))
    if (other !== undefined) eachSharedOf(held, one, chain, other, visit)
  }
}

/** Expirations of a held chain that are still live at the moment of another chain. */
export function liveExpirations(held: Chain, { asOf }: Pick<Chain, 'asOf'>): readonly Expiration[] {
  return held.expirations.filter(({ date, settlement }) => isLive(asOf, date, settlement))
}

export const nameOf = ({ root, date }: Expiration) => `${root} ${date}`

/** Contracts of one expiration that two chains share; both list them by strike, call before put. */
function eachSharedOf(
  held: Chain,
  one: Expiration,
  chain: Chain,
  other: Expiration,
  visit: (before: number, after: number) => void
): void {
  for (let i = one.start, k = other.start; i < one.end && k < other.end; ) {
    const order = held.strike[i] - chain.strike[k] || held.right[i] - chain.right[k]
    if (order === 0) visit(i, k)
    if (order <= 0) i++
    if (order >= 0) k++
  }
}
