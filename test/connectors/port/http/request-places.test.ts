import { expect, test } from 'vitest'
import { budgetMemory, RequestBudget } from '../../../../src/connectors/port/http/request-budget.ts'
import { pause } from '../../../../src/connectors/port/pause.ts'

const { signal } = new AbortController()
const limit = (maxParallel: number) => ({ requests: 1000, every: 1000, maxParallel })

/** Requests that end when the test says so. */
function requests(budgets: readonly RequestBudget[]) {
  const begun: number[] = []
  const ends = new Map<number, () => void>()
  const ask = (id: number) =>
    budgets[id % budgets.length].run(
      () =>
        new Promise<number>((resolve) => {
          begun.push(id)
          ends.set(id, () => resolve(id))
        }),
      signal
    )
  return { begun, ask, end: (id: number) => ends.get(id)!() }
}

const whenBegun = async (begun: readonly number[], count: number) => {
  while (begun.length < count) await pause(1, signal)
}

test('so many requests are under way at once on all threads, in their order on each', async () => {
  const memory = budgetMemory()
  const budgets = [new RequestBudget(limit(2), { memory }), new RequestBudget(limit(2), { memory })]
  const { begun, ask, end } = requests(budgets)
  const asked = [0, 2, 1, 4].map(ask)
  await whenBegun(begun, 2)
  await pause(30, signal)
  expect(begun).toHaveLength(2)
  expect(begun).toContain(0)
  for (let ended = 0; ended < 4; ended++) {
    await whenBegun(begun, ended + 1)
    end(begun[ended])
    await pause(15, signal)
    expect(begun.length - ended - 1).toBeLessThanOrEqual(2)
  }
  expect(await Promise.all(asked)).toEqual([0, 2, 1, 4])
  expect(begun.filter((id) => id % 2 === 0)).toEqual([0, 2, 4])
})

test('a request that fails gives its place back, and one that is not waited for takes none', async () => {
  const budget = new RequestBudget(limit(1))
  await expect(budget.run(() => Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken')
  const { begun, ask, end } = requests([budget])
  const first = ask(0)
  await whenBegun(begun, 1)
  const stopped = budget.run(async () => 1, AbortSignal.timeout(20))
  await expect(stopped).rejects.toThrow(/timeout/)
  end(0)
  expect(await first).toBe(0)
  expect(await budget.run(async () => 2, signal)).toBe(2)
})

test('the place of a thread that died is free again some minutes later', async () => {
  const clock = { now: 5000 }
  const budget = new RequestBudget(limit(1), { clock: () => clock.now })
  void budget.run(() => new Promise(() => {}), signal)
  clock.now += 11 * 60_000
  expect(await budget.run(async () => 'served', signal)).toBe('served')
})

test('without such a limit every request begins at once', async () => {
  const budget = new RequestBudget({ requests: 1, every: 1000 })
  expect(budget.maxParallel).toBeUndefined()
  const { begun, ask } = requests([budget])
  for (let id = 0; id < 100; id++) void ask(id)
  await whenBegun(begun, 100)
})
