import { expect, test } from 'vitest'
import { ChainGone } from '../../../src/market/gone-chain.ts'
import { fromCurrentChains } from '../../../src/server/answers/current-chains.ts'

test('a response is computed again from newer inputs if a chain among them was overtaken', async () => {
  let attempts = 0
  const compute = async () => {
    if (++attempts < 3) throw new ChainGone('overtaken')
    return attempts
  }
  expect(await fromCurrentChains(compute)).toBe(3)
})

test('a request whose chains are always overtaken is refused as overloaded, other errors pass at once', async () => {
  let attempts = 0
  const gone = async () => {
    attempts++
    throw new ChainGone('overtaken')
  }
  await expect(fromCurrentChains(gone)).rejects.toMatchObject({ code: 'overloaded' })
  expect(attempts).toBe(3)
  const wrong = new Error('another')
  await expect(fromCurrentChains(() => Promise.reject(wrong))).rejects.toBe(wrong)
})
