import { expect, test } from 'vitest'
import { chainBytes } from '../../src/market/chain.ts'
import { RetiredChains } from '../../src/workers/retired-chains.ts'
import { handMade } from '../support/markets.ts'

const { chain } = handMade('one expiration')
const size = chainBytes(chain)

function over(chains: number) {
  const gone: unknown[] = []
  const retired = new RetiredChains<typeof chain>(chains * size, (given) => void gone.push(given))
  const made = Array.from({ length: 5 }, () => ({ ...chain }))
  return { gone, retired, made }
}

test('replaced chains keep their memory until enough newer ones were replaced, the oldest goes first', () => {
  const { gone, retired, made } = over(2)
  for (const each of made.slice(0, 2)) retired.retire(each)
  expect(gone).toEqual([])
  for (const each of made.slice(2)) retired.retire(each)
  expect(gone).toEqual(made.slice(0, 3))
  expect(gone.every((each, k) => each === made[k])).toBe(true)
})

test('a chain that is lent keeps its memory until its last user has released it, each once', () => {
  const { gone, retired, made } = over(1)
  const [one, other] = [retired.lend(made[0]), retired.lend(made[0])]
  for (const each of made.slice(0, 3)) retired.retire(each)
  expect(gone).toEqual([made[1], made[2]])
  one()
  one()
  expect(gone).toHaveLength(2)
  other()
  retired.retire(made[3])
  expect(gone[2]).toBe(made[0])
  expect(gone).toHaveLength(3)
})

test('a chain that is lent before it is replaced is safe, one that is replaced twice counts once', () => {
  const { gone, retired, made } = over(0)
  const release = retired.lend(made[0])
  retired.retire(made[0])
  retired.retire(made[0])
  expect(gone).toEqual([])
  release()
  expect(gone).toEqual([made[0]])
})
