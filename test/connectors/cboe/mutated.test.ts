import { expect, test } from 'vitest'
import { readCboeChain } from '../../../src/connectors/cboe/cboe-chain.ts'
import { readByJson } from '../../../src/connectors/cboe/json-chain.ts'
import { CALL } from '../../../src/market/chain.ts'
import { cboeOption, cboePayload } from '../../support/cboe-payload.ts'
import { jsonMutations } from '../../support/mutations.ts'
import { expectSameOrNamed } from '../../support/same-or-named.ts'

/** Reads a payload's chain and the figures of one of its contracts; no figures if the contract is left out. */
const figuresBy = (read: typeof readByJson) => (text: string) => {
  const { chain, leftOut, reading } = read(Buffer.from(text))
  const { symbol, asOf, spot, delay, quote } = chain
  const slot = chain.strike.findIndex((strike, i) => strike === 730 && chain.right[i] === CALL)
  const columns = [chain.bid, chain.ask, chain.last, chain.bidSize, chain.askSize, chain.volume, chain.openInterest]
  const isReported = leftOut.unreadable + reading.unusable > 0
  return { head: { symbol, asOf, spot, delay, quote }, contract: columns.map((column) => column[slot]), isReported }
}

const underlying = { bid: 731.8, ask: 731.9, last_trade_time: '2026-07-29T15:00:01' }
const options = [
  cboeOption('SPY260731C00730000', { last_trade_time: '2026-07-29T15:00:00' }),
  ...['C00740000', 'P00730000', 'P00740000'].map((name) =>
    cboeOption(`SPY260731${name}`, { last_trade_time: '2026-07-29T14:59:59' })
  )
]

test.each([
  ['in the session', '2026-07-29 19:15:00'],
  ['after it', '2026-07-29 22:37:29']
])('a mutated payload that was fetched %s has the same figures, none in their place, or is a fault by the name of the field', (_, timestamp) => {
  const text = cboePayload({ timestamp, underlying, options })
  // Mutating one contract is enough: all contracts are read by the same code.
  const mutations = [...jsonMutations(text)].filter(({ label }) => !/^data\.options\.[1-9]/.test(label))
  for (const read of [readCboeChain, readByJson]) {
    const figures = figuresBy(read)
    const whole = figures(text)
    // The payload states the symbol twice.
    const isTwice = ({ label }: { readonly label: string }) => /^(data\.)?symbol (dropped|renamed)/.test(label)
    expectSameOrNamed(
      mutations.filter((mutation) => !isTwice(mutation)),
      whole,
      figures,
      (found, label) => {
        expect(found.head, label).toEqual(whole.head)
        for (const [k, figure] of found.contract.entries()) {
          const isAbsent = figure === undefined ? found.isReported : Number.isNaN(figure) || figure === -1
          if (!isAbsent) expect(figure, `${label}, figure ${k}`).toBe(whole.contract[k])
        }
      }
    )
    for (const { text: changed } of mutations.filter(isTwice)) expect(figures(changed)).toEqual(whole)
  }
})
