import { byStrike, netGex, type StrikeRow } from './by-strike.ts'
import { nearer } from './levels.ts'
import type { Scope } from './scope.ts'

/** The strikes with the most net gamma by size, largest first, `count` at most; ties as everywhere: nearest to spot, then lower. */
export function topGammaStrikes(scope: Scope, count: number): readonly StrikeRow[] {
  const { spot } = scope.chain
  return byStrike(scope)
    .filter((row) => netGex(row) !== 0)
    .sort((a, b) => Math.abs(netGex(b)) - Math.abs(netGex(a)) || (nearer(a.strike, b.strike, spot) ? -1 : 1))
    .slice(0, count)
}
