import { createHash } from 'node:crypto'
import type { Connector } from '../../../src/connectors/port/connector.ts'
import { createSynthetic } from '../../../src/connectors/synthetic/synthetic-connector.ts'
import type { Chain } from '../../../src/market/chain.ts'
import { instantOfEastern } from '../../../src/market/eastern.ts'
import { type IsoDate, parseTicker, type Ticker } from '../../../src/market/units.ts'

const { signal } = new AbortController()

/** One synthetic market, asked with plain texts. */
export function market(seed = 1, connector: Connector = createSynthetic({ seed })) {
  return {
    connector,
    chain: async (symbol: string, date: string, time: string): Promise<Chain> =>
      (await connector.chain(ticker(symbol), eastern(date, time), signal))!,
    close: async (symbol: string, date: string): Promise<Chain> =>
      (await connector.closingChain(ticker(symbol), date as IsoDate, signal))!,
    bars: (symbol: string, date: string, time = '20:00') =>
      connector.dailyBars(ticker(symbol), eastern(date, time), signal)
  }
}

export function ticker(symbol: string): Ticker {
  return parseTicker(symbol)!
}

/** The instant of a New York date and hh:mm or hh:mm:ss. */
export function eastern(date: string, time: string): number {
  const [hours, minutes, seconds = 0] = time.split(':').map(Number)
  return instantOfEastern(date as IsoDate, 60 * hours + minutes + seconds / 60)
}

/** The date, root, strike and right of a slot, as one name. */
export function contractNames(chain: Chain): readonly string[] {
  const names: string[] = []
  for (const { date, root, start, end } of chain.expirations) {
    for (let i = start; i < end; i++) names.push(`${date} ${root} ${chain.strike[i]} ${chain.right[i]}`)
  }
  return names
}

export function total(column: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < column.length; i++) sum += column[i]
  return sum
}

/** Every byte of a chain in a short text: equal texts mean equal chains. */
export function fingerprint(chain: Chain): string {
  const hash = createHash('sha256')
  for (const [name, value] of Object.entries(chain)) {
    hash.update(name).update(ArrayBuffer.isView(value) ? new Uint8Array(bytesOf(value)) : (JSON.stringify(value) ?? ''))
  }
  return hash.digest('hex')
}

function bytesOf(column: ArrayBufferView): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength)
}
