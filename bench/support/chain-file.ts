import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import { CALL, type Chain } from '../../src/market/chain.ts'
import { easternDate } from '../../src/market/eastern.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'

const heading =
  'symbol,date,root,expiration,strike,right,bid,ask,last,bid_size,ask_size,volume,open_interest,underlying_price'

export interface ChainFile {
  readonly symbols: readonly string[]
  readonly dates: readonly IsoDate[]
  /** Which contracts a row is written of; all if absent. */
  readonly isWanted?: (chain: Chain, expiration: IsoDate, strike: number) => boolean
}

/** Writes a table of closing chains of the synthetic market, as a vendor sells it: by date, then by symbol. */
export async function writeChainFile(path: string, { symbols, dates, isWanted }: ChainFile): Promise<number> {
  const market = createSynthetic({ seed: 1 })
  const { signal } = new AbortController()
  const file = createWriteStream(path)
  file.write(`${heading}\n`)
  let rows = 0
  for (const date of dates) {
    for (const symbol of symbols) {
      const chain = (await market.closingChain!(symbol as Ticker, date, signal))!
      const lines = linesOf(chain, isWanted)
      rows += lines.length
      if (!file.write(`${lines.join('\n')}\n`)) await once(file, 'drain')
    }
  }
  file.end()
  await finished(file)
  return rows
}

function linesOf(chain: Chain, isWanted: ChainFile['isWanted'] = () => true): readonly string[] {
  const { symbol, asOf, spot, expirations, strike, right, bid, ask, last } = chain
  const day = easternDate(asOf)
  const known = (value: number) => (value >= 0 ? value : '')
  return expirations.flatMap(({ root, date, start, end }) => {
    const lines: string[] = []
    for (let i = start; i < end; i++) {
      if (!isWanted(chain, date, strike[i])) continue
      const prices = [bid[i], ask[i], last[i]].map(known)
      const counts = [chain.bidSize[i], chain.askSize[i], chain.volume[i], chain.openInterest[i]].map(known)
      const contract = [symbol, day, root, date, strike[i], right[i] === CALL ? 'C' : 'P']
      lines.push([...contract, ...prices, ...counts, spot].join())
    }
    return lines
  })
}
