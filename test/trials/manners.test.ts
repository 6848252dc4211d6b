import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { furtherManners } from '../../trials/further-manners.ts'
import { begin, misbehave, play } from '../../trials/manner-run.ts'
import { openStage, type Stage } from '../../trials/manner-stage.ts'
import { manners } from '../../trials/manner-table.ts'

test('the table has every kind of bad manners', () => {
  expect(manners.length).toBeGreaterThan(80)
  expect(new Set(manners.map(({ name }) => name)).size).toBe(manners.length)
})

/** Bad polls of each manner: as many as once made an exchange believed. */
const POLLS = 3

describe.each([...new Set(manners.map(({ kind }) => kind))])('bad manners of %s, one after the other:', (kind) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
    await begin(stage)
  })
  afterAll(() => stage.close())

  const some = manners.filter((manner) => manner.kind === kind)
  test.each(
    some
  )('$name: nothing false is served, streamed, recorded or alerted on, and all is well two polls later', async (manner) => {
    expect((await misbehave(stage, manner, POLLS)).faults).toEqual([])
  })
})

/** How a payload is sent makes no difference to what it says; `npm run manners` plays the further ones so too. */
const firsts = manners.filter(
  (one) => one.kind !== 'clock' && one.kind !== 'transport' && !furtherManners.includes(one)
)
test.each(firsts)('$name, as the first thing that the exchange says: the same', async (manner) => {
  expect((await play(manner, { badPolls: manner.kind === 'times' ? 4 : 1, isFirst: true })).faults).toEqual([])
})
