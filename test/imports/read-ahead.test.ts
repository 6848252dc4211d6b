import { expect, test } from 'vitest'
import { readAhead } from '../../src/imports/read-ahead.ts'

const files = ['a', 'b', 'c', 'd', 'e'].map((path) => ({ path, size: 1 }))
const limits = { files: 2, bytes: 50 }

/** A reader that finds so many bytes in every file, and the files it was asked for. */
function reader(length: number) {
  const asked: string[] = []
  const read = async (path: string) => {
    asked.push(path)
    return Buffer.alloc(length)
  }
  return { asked, read }
}

test('files come in their order, and no more than the next few are opened meanwhile', async () => {
  const { asked, read } = reader(10)
  const seen: string[] = []
  for await (const { path, bytes } of readAhead(files, read, limits)) {
    seen.push(path)
    expect(asked.length).toBe(Math.min(seen.length + limits.files, files.length))
    expect(await bytes).toHaveLength(10)
  }
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('no next file is opened while those that wait hold more bytes than may', async () => {
  const { asked, read } = reader(60)
  const opened: number[] = []
  for await (const { bytes } of readAhead(files, read, limits)) {
    opened.push(asked.length)
    await bytes
    await new Promise((resolve) => setImmediate(resolve)) // those that wait are read by now
  }
  expect(opened).toEqual([3, 3, 3, 5, 5]) // before the first is read nobody knows how much they hold
})

test('the size on disk counts as long as a file is being read', async () => {
  const { asked, read } = reader(0)
  const heavy = files.map(({ path }) => ({ path, size: 30 }))
  await readAhead(heavy, read, limits).next()
  expect(asked).toEqual(['a', 'b'])
})

test('a single file of any size is read', async () => {
  const { read } = reader(1000)
  const next = await readAhead([{ path: 'a', size: 1000 }], read, limits).next()
  expect(await next.value?.bytes).toHaveLength(1000)
})

test('a file that cannot be read says why when its turn comes, and the others are read', async () => {
  const read = async (path: string) => {
    if (path === 'b') throw new Error('permission denied')
    return Buffer.from(path)
  }
  const found: string[] = []
  for await (const { bytes } of readAhead(files, read, limits)) {
    await new Promise((resolve) => setImmediate(resolve))
    found.push(await bytes.then(String, (error: Error) => error.message))
  }
  expect(found).toEqual(['a', 'permission denied', 'c', 'd', 'e'])
})
