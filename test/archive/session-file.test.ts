import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { SessionFile } from '../../src/archive/session-files/session-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'gammawall-session-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const about = 'SPX 2026-07-29'
let files = 0
const fresh = () => join(folder, `${files++}.img`)
/** A body that tells its moment. */
const bodyAt = (moment: number) => Buffer.alloc(40 + (moment % 7), `snapshot at ${moment} `)

/** Opens a file, which is closed behind what is done with it. */
async function withFile<Result>(path: string, work: (file: SessionFile) => Promise<Result>, name = about) {
  const file = await SessionFile.open(path, name, { create: true })
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

/** A file with snapshots at these moments; after those that are marked it was found complete. */
function written(path: string, snapshots: readonly { readonly moment: number; readonly marked: boolean }[]) {
  return withFile(path, async (file) => {
    for (const { moment, marked } of snapshots) {
      await file.append(moment, bodyAt(moment))
      if (marked) await file.markComplete(moment)
    }
  })
}

const momentsOf = (snapshots: readonly { readonly moment: number }[]) => snapshots.map(({ moment }) => moment)
const marked = (...moments: readonly number[]) =>
  moments.map((moment, k) => ({ moment, marked: k === moments.length - 1 }))

test('a file gives the newest snapshot at or before a moment, also when it is opened again', async () => {
  const path = fresh()
  await written(path, marked(10, 20, 30))
  await withFile(path, async (file) => {
    expect(file.completeness).toEqual({ through: 30, count: 3, digest: 30 })
    expect(await file.newest(9)).toBeUndefined()
    for (const [at, moment] of [
      [10, 10],
      [19.5, 10],
      [20, 20],
      [29, 20],
      [30, 30],
      [Number.POSITIVE_INFINITY, 30]
    ]) {
      expect(await file.newest(at)).toEqual({ moment, body: bodyAt(moment) })
    }
  })
})

test('snapshots ascend', async () => {
  await withFile(fresh(), async (file) => {
    await file.append(10, bodyAt(10))
    await expect(file.append(10, bodyAt(10))).rejects.toThrow('ascend')
  })
})

test('what was not found complete is cut off, and appending goes on behind what was', async () => {
  const path = fresh()
  await written(path, [...marked(10, 20), { moment: 30, marked: false }])
  await withFile(path, async (file) => {
    expect(file.count).toBe(2)
    await file.append(25, bodyAt(25))
    await file.markComplete(1)
    expect(await file.newest(40)).toEqual({ moment: 25, body: bodyAt(25) })
  })
  await withFile(path, async (file) => expect(file.completeness).toEqual({ through: 25, count: 3, digest: 1 }))
})

test.each([
  ['of another session', about, 'SPX 2026-07-30'],
  ['of another symbol', about, 'SPXW 2026-07-29']
])('a file %s is none', async (_, mine, other) => {
  const path = fresh()
  await withFile(
    path,
    async (file) => {
      await file.append(10, bodyAt(10))
      await file.markComplete(10)
    },
    mine
  )
  await withFile(path, async (file) => expect(file.completeness).toBeUndefined(), other)
})

test('a damaged snapshot is missing, and its neighbours are there', async () => {
  const path = fresh()
  await written(path, marked(10, 20, 30))
  const bytes = readFileSync(path)
  bytes[bytes.indexOf(bodyAt(20)) + 3] ^= 4
  writeFileSync(path, bytes)
  await withFile(path, async (file) => {
    expect(await file.newest(25)).toEqual({ moment: 20, body: undefined })
    expect((await file.newest(15))?.body).toEqual(bodyAt(10))
    expect((await file.newest(35))?.body).toEqual(bodyAt(30))
  })
})

const anySnapshots = fc
  .array(fc.record({ moment: fc.nat(1e6), marked: fc.boolean() }), { minLength: 1, maxLength: 12 })
  .map((snapshots) => snapshots.toSorted((a, b) => a.moment - b.moment))
  .map((snapshots) => snapshots.filter(({ moment }, k) => k === 0 || moment > snapshots[k - 1].moment))

/** A place of a file, as a share of its length. */
const anyPlace = fc.noBias(fc.nat(10_000)).map((parts) => parts / 10_000)

/** What a crash, a bad disk or a bad hand does to a file: cuts, flips bits, writes into, appends to. */
const anyDamage = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), at: anyPlace }),
  fc.record({
    kind: fc.constant('flip' as const),
    at: anyPlace,
    bits: fc.integer({ min: 1, max: 255 })
  }),
  fc.record({
    kind: fc.constant('write' as const),
    at: anyPlace,
    bytes: fc.uint8Array({ minLength: 1, maxLength: 90 })
  }),
  fc.record({ kind: fc.constant('append' as const), bytes: fc.uint8Array({ minLength: 1, maxLength: 90 }) })
)

test('whatever is done to a file, no snapshot of it is a wrong one, and appending goes on', async () => {
  let believed = 0
  let damaged = 0
  await fc.assert(
    fc.asyncProperty(anySnapshots, fc.array(anyDamage, { minLength: 1, maxLength: 3 }), async (snapshots, damages) => {
      const path = fresh()
      await written(path, snapshots)
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

      const moments = momentsOf(snapshots)
      const through = await withFile(path, async (file) => {
        const complete = file.completeness?.through ?? Number.NEGATIVE_INFINITY
        for (const at of moments.filter((moment) => moment <= complete)) {
          for (const asked of [at, at + 0.5]) {
            const found = await file.newest(asked)
            expect(found?.moment).toBe(at)
            if (found?.body === undefined) damaged++
            else expect(found.body).toEqual(bodyAt(at))
            believed++
          }
        }
        await file.append(2e6, bodyAt(2e6))
        await file.markComplete(7)
        return complete
      })
      await withFile(path, async (file) => {
        expect(await file.newest(3e6)).toEqual({ moment: 2e6, body: bodyAt(2e6) })
        expect(file.count).toBe(moments.filter((moment) => moment <= through).length + 1)
      })
    }),
    { numRuns: 400, seed: 20 }
  )
  // The damage is of both kinds: what is left is believed, and what is not is noticed.
  expect(believed).toBeGreaterThan(200)
  expect(damaged).toBeGreaterThan(20)
})
