import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { lineBlocks } from '../../../src/imports/tables/line-blocks.ts'
import { folderWith } from '../take.ts'

test('a file that went away since it was listed is a fault of that file and of nothing else', async () => {
  const blocks = lineBlocks(join(folderWith({}), 'gone.csv'))
  await expect(blocks.next()).rejects.toThrow('ENOENT')
  await setTimeout(20) // an error that nobody listens to would end the run
})
