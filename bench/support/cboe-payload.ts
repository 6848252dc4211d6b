import { CALL, type Chain, known } from '../../src/market/chain.ts'
import { easternDateTime } from '../../src/market/eastern.ts'
import { formatOcc } from '../../src/market/occ.ts'

/**
 * A chain as the bytes that Cboe's delayed feed would send of it, every field of a contract included, so that a bench
 * begins where a service does and needs no recorded data. The feed writes 0 for what it does not know.
 */
export function cboePayload(chain: Chain): Buffer {
  const traded = easternDateTime(chain.asOf)
  const options: string[] = []
  for (const { date, root, start, end } of chain.expirations) {
    for (let i = start; i < end; i++) {
      const right = chain.right[i] === CALL ? 'call' : 'put'
      const symbol = formatOcc({ root, expiration: date, right, strike: chain.strike[i] })
      options.push(contractText(chain, i, symbol, traded))
    }
  }
  const head = `"timestamp":"${new Date(chain.asOf).toISOString().slice(0, 19).replace('T', ' ')}","symbol":"${chain.symbol}"`
  const spot = decimal(chain.spot)
  const underlying =
    `"symbol":"${chain.symbol}","current_price":${spot},"bid":${spot},"bid_size":1.0,"ask":${spot},"ask_size":1.0,"close":${spot},"prev_day_close":${spot},"open":${spot},` +
    `"high":${spot},"low":${spot},"volume":69560498.0,"iv30":16.928,"iv30_change":0.0,"last_trade_time":"${traded}"`
  return Buffer.from(`{${head},"data":{${underlying},"options":[${options.join(',')}]}}`)
}

function contractText(chain: Chain, i: number, symbol: string, traded: string): string {
  const middle = decimal((chain.bid[i] + chain.ask[i]) / 2)
  return (
    `{"option":"${symbol}","bid":${decimal(chain.bid[i])},"bid_size":${count(chain.bidSize[i])},` +
    `"ask":${decimal(chain.ask[i])},"ask_size":${count(chain.askSize[i])},"iv":0.1812,` +
    `"open_interest":${count(chain.openInterest[i])},"volume":${count(chain.volume[i])},"delta":0.5012,"gamma":0.0312,` +
    `"theta":-0.1204,"rho":0.0831,"vega":0.2113,"theo":${middle},"change":-2.16,"open":${middle},"high":${middle},` +
    `"low":${middle},"tick":null,"last_trade_price":${decimal(chain.last[i])},"last_trade_time":"${traded}",` +
    `"percent_change":-0.895412,"prev_day_close":${middle}}`
  )
}

const decimal = (value: number) => (Number.isNaN(value) ? '0.0' : Number.isInteger(value) ? `${value}.0` : `${value}`)
const count = (value: number) => `${known(value)}.0`
