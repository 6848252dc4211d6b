import { expect, test } from 'vitest'
import { play } from '../../trials/manner-run.ts'
import { manners } from '../../trials/manner-table.ts'

test('the table has every kind of bad manners', () => {
  expect(manners.length).toBeGreaterThan(80)
  expect(new Set(manners.map(({ name }) => name)).size).toBe(manners.length)
})

test.each(
  manners
)('$name: nothing false is served, streamed, recorded or alerted on, and all is well two polls later', async (manner) => {
  const { faults } = await play(manner, { badPolls: 2, isFirst: false })
  expect(faults).toEqual([])
})

/** How a payload is sent makes no difference to what it says. */
const firsts = manners.filter(({ kind }) => kind !== 'clock' && kind !== 'transport')
test.each(firsts)('$name, as the first thing that the exchange says: the same', async (manner) => {
  const { faults } = await play(manner, { badPolls: 1, isFirst: true })
  expect(faults).toEqual([])
})
