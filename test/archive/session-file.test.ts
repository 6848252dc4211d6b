import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { SessionFile, writeSessionFile } from '../../src/archive/session-files/session-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'gammawall-session-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const name = 'SPX 2026-07-29 0123456789abcdef'
let files = 0
const fresh = () => join(folder, `${files++}.img`)
/** Bytes that tell their position. */
const snapshotAt = (k: number) => Buffer.alloc(40 + (k % 7), `snapshot ${k} `)

async function written(count: number, path = fresh()): Promise<string> {
  async function* snapshots() {
    for (let k = 0; k < count; k++) yield snapshotAt(k)
  }
  expect(await writeSessionFile(path, name, count, snapshots())).toBe(readFileSync(path).length)
  return path
}

/** The snapshots of a file; undefined for one that is damaged, no list where the file cannot be opened. */
async function readAll(path: string, count: number, as = name): Promise<readonly (Buffer | undefined)[] | undefined> {
  const file = await SessionFile.open(path, as, count).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    return await Promise.all(Array.from({ length: count }, (_, k) => file.read(k)))
  } finally {
    await file.close()
  }
}

test('a file gives back its snapshots by their position', async () => {
  const path = await written(30)
  expect(await readAll(path, 30)).toEqual(Array.from({ length: 30 }, (_, k) => snapshotAt(k)))
})

test('a file of another name or count is not opened', async () => {
  const path = await written(3)
  for (const other of ['SPXW 2026-07-29 0123456789abcdef', 'SPX 2026-07-29 f123456789abcdef']) {
    expect(await readAll(path, 3, other)).toBeUndefined()
  }
  expect(await readAll(path, 2)).toBeUndefined()
  expect(await readAll(path, 4)).toBeUndefined()
  expect(await readAll(join(folder, 'missing'), 3)).toBeUndefined()
})

test('a damaged snapshot is missing, and its neighbours are there', async () => {
  const path = await written(3)
  const bytes = readFileSync(path)
  bytes[bytes.indexOf(snapshotAt(1)) + 3] ^= 4
  writeFileSync(path, bytes)
  expect(await readAll(path, 3)).toEqual([snapshotAt(0), undefined, snapshotAt(2)])
})

/** A position in a file, as a share of its length. */
const anyPlace = fc.noBias(fc.nat(10_000)).map((parts) => parts / 10_000)

/** Damage that a crash, a bad disk or a person may do to a file: cutting, flipping bits, overwriting, appending. */
const anyDamage = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), at: anyPlace }),
  fc.record({ kind: fc.constant('flip' as const), at: anyPlace, bits: fc.integer({ min: 1, max: 255 }) }),
  fc.record({
    kind: fc.constant('write' as const),
    at: anyPlace,
    bytes: fc.uint8Array({ minLength: 1, maxLength: 90 })
  }),
  fc.record({ kind: fc.constant('append' as const), bytes: fc.uint8Array({ minLength: 1, maxLength: 90 }) })
)

test('whatever is done to a file, it gives no wrong snapshot', async () => {
  let right = 0
  let damaged = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.array(anyDamage, { minLength: 1, maxLength: 3 }),
      async (count, damages) => {
        const path = await written(count)
        let bytes = readFileSync(path)
        for (const damage of damages) {
          const at = 'at' in damage ? Math.floor(damage.at * (bytes.length - 1)) : bytes.length
          if (damage.kind === 'append') bytes = Buffer.concat([bytes, damage.bytes])
          else if (at < 0) continue
          else if (damage.kind === 'cut') bytes = bytes.subarray(0, at)
          else if (damage.kind === 'flip') bytes[at] ^= damage.bits
          else bytes.set(damage.bytes.subarray(0, bytes.length - at), at)
        }
        writeFileSync(path, bytes)
        const found = await readAll(path, count)
        if (found === undefined) refused++
        for (const [k, snapshot] of found?.entries() ?? []) {
          if (snapshot === undefined) damaged++
          else expect(snapshot).toEqual(snapshotAt(k))
          if (snapshot !== undefined) right++
        }
      }
    ),
    { numRuns: 400, seed: 20 }
  )
  // The damage is of every kind: whole files refused, snapshots found damaged, and others still right.
  expect(right).toBeGreaterThan(200)
  expect(damaged).toBeGreaterThan(20)
  expect(refused).toBeGreaterThan(20)
})
