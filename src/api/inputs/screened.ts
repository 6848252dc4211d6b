import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Screened, ScreenedRow } from '../../screener/screener-row.ts'
import type { Input } from './input.ts'

export const screened: Input<Screened> = {
  kind: 'market',
  moves: true,
  find: ({ endpoint, market, facts }) => market.screened(endpoint.chainsRead(facts?.body as never)),
  version: () => '',
  // One worker handles all screener requests, so that it can reuse its work on a chain.
  symbol: ({ rows: [first] }) => first?.symbol,
  pack: ({ rows, ...rest }, refOf): PackedScreened => ({ ...rest, ...packed(rows, refOf) }),
  unpack: (sent, chainOf) => unpacked(sent as PackedScreened, chainOf)
}

/** Rows for a worker, with all figures in one column: a thousand small ones would be copied one by one. */
interface PackedScreened extends Omit<Screened, 'rows'> {
  readonly rows: readonly (Omit<ScreenedRow, 'stock' | 'chain'> & { readonly chain: unknown })[]
  readonly figures: Float64Array
}

const none = new Float64Array(0)

function packed(rows: readonly ScreenedRow[], refOf: (chain: PricedChain) => unknown) {
  const width = rows[0]?.stock.length ?? 0
  const figures = new Float64Array(rows.length * width)
  const others = rows.map(({ stock, chain, expiries, ...row }, k) => {
    figures.set(stock, k * width)
    return { ...row, expiries: chain === undefined ? none : expiries, chain: chain && refOf(chain) }
  })
  return { rows: others, figures }
}

function unpacked({ rows, figures, ...rest }: PackedScreened, chainOf: (ref: unknown) => PricedChain): Screened {
  const width = rows.length === 0 ? 0 : figures.length / rows.length
  const whole = rows.map((row, k) => ({
    ...row,
    stock: figures.subarray(k * width, (k + 1) * width),
    chain: row.chain === undefined ? undefined : chainOf(row.chain)
  }))
  return { ...rest, rows: whole }
}
