import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BudgetOptions, budgetMemory, RequestBudget } from '../../../../src/connectors/port/http/request-budget.ts'

const { signal } = new AbortController()
const limit = { requests: 10, every: 1000 }

/** A budget on a clock of the test. Waits are noted, not waited for. */
function budgetAt(clock: { now: number }, options: BudgetOptions = {}) {
  let waited = 0
  const budget = new RequestBudget(limit, {
    ...options,
    clock: () => clock.now,
    wait: async (milliseconds) => {
      waited = milliseconds
    }
  })
  /** When requests that are asked for now begin. */
  const begin = async (requests = 1) => {
    waited = 0
    await budget.turn(signal, requests)
    return clock.now + waited
  }
  return { budget, begin }
}

describe('turns', () => {
  test('are given at once while there is room, then when the stretch that began with the first is over', async () => {
    const clock = { now: 5000 }
    const { budget, begin } = budgetAt(clock)
    expect(await begin(9)).toBe(5000)
    clock.now = 5400
    expect(await begin()).toBe(5400)
    expect(await begin(3)).toBe(6000)
    expect(await begin(8)).toBe(7000)
    expect(budget.given).toBe(21)
    expect(budget.perMinute).toBe(600)
  })

  test('that belong together begin together, and what fits before them does not wait', async () => {
    const { begin } = budgetAt({ now: 5000 })
    expect(await begin(6)).toBe(5000)
    expect(await begin(6)).toBe(6000)
    expect(await begin(4)).toBe(6000)
    expect(await begin(10)).toBe(7000)
  })

  test('are counted together by all that share a memory', async () => {
    const [clock, memory] = [{ now: 5000 }, budgetMemory()]
    const [one, other] = [budgetAt(clock, { memory }), budgetAt(clock, { memory })]
    expect(await one.begin(10)).toBe(5000)
    expect(await other.begin()).toBe(6000)
    expect(one.budget.given).toBe(11)
  })

  test('never exceed the limit of a vendor that counts from the first request', async () => {
    const asked = fc.array(fc.tuple(fc.integer({ min: 0, max: 1500 }), fc.integer({ min: 1, max: 10 })), {
      minLength: 1,
      maxLength: 60
    })
    await fc.assert(
      fc.asyncProperty(asked, async (steps) => {
        const clock = { now: 5000 }
        const { begin } = budgetAt(clock)
        const times: number[] = []
        for (const [pause, requests] of steps) {
          clock.now += pause
          times.push(...Array(requests).fill(await begin(requests)))
        }
        times.sort((a, b) => a - b)
        let stretch = { begin: Number.NEGATIVE_INFINITY, count: 0 }
        for (const time of times) {
          if (time >= stretch.begin + limit.every) stretch = { begin: time, count: 0 }
          stretch.count++
          expect(stretch.count).toBeLessThanOrEqual(limit.requests)
        }
      })
    )
  })

  test('that are too far away are refused with the time until then, and take nothing', async () => {
    const clock = { now: 5000 }
    const { begin, budget } = budgetAt(clock, { longestWait: 900 })
    await begin(10)
    await expect(begin()).rejects.toMatchObject({
      fault: 'rate_limited',
      retryAfter: 1000,
      message: 'its budget of 10 requests in 1 s is spent'
    })
    expect(budget.given).toBe(10)
    clock.now = 5100
    expect(await begin()).toBe(6000)
  })

  test('are counted on a machine that has run for a hundred years', async () => {
    const clock = { now: 100 * 365 * 86_400_000 }
    const { begin, budget } = budgetAt(clock)
    expect(await begin(10)).toBe(clock.now)
    expect(await begin()).toBe(clock.now + 1000)
    budget.rest(5000)
    expect(await begin()).toBe(clock.now + 5000)
  })

  test('end with the signal', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect(new RequestBudget(limit).turn(stopped)).rejects.toThrow('stopped')
  })
})

describe('what a source says', () => {
  test('of a rest is kept to, whoever asks', async () => {
    const [clock, memory] = [{ now: 5000 }, budgetMemory()]
    const { budget, begin } = budgetAt(clock, { memory })
    await begin()
    budget.rest(3000)
    expect(await budgetAt(clock, { memory }).begin(10)).toBe(8000)
    budget.rest(100) // a shorter one ends no longer one
    expect(await begin()).toBe(9000)
  })

  test.each([
    86_400_001,
    1e13,
    1e24,
    Number.POSITIVE_INFINITY
  ])('of a rest of %s ms is kept to for a day', async (milliseconds) => {
    const { budget, begin } = budgetAt({ now: 5000 })
    budget.rest(milliseconds)
    expect(await begin()).toBe(5000 + 86_400_000)
  })

  test.each([1e6, 999_999_999_999_999])('of a limit of %s leaves the count whole', async (allowed) => {
    const clock = { now: 5000 }
    const { budget, begin } = budgetAt(clock)
    budget.stated({ allowed, left: 0, endsIn: 900 })
    await expect(begin()).rejects.toMatchObject({ fault: 'rate_limited', retryAfter: 900 })
    clock.now = 5900
    expect(await begin(10)).toBe(5900)
  })

  test('of its count counts, since others may use the same key', async () => {
    const clock = { now: 5000 }
    const { budget, begin } = budgetAt(clock)
    await begin()
    clock.now = 5100
    budget.stated({ left: 2, endsIn: 950 })
    expect(await begin(2)).toBe(5100)
    expect(await begin()).toBe(6050)
  })

  test('of its limit takes the place of the one that was set', async () => {
    const clock = { now: 5000 }
    const { budget, begin } = budgetAt(clock)
    await begin()
    budget.stated({ allowed: 20, left: 19, endsIn: 1000 })
    expect(budget.room).toBe(20)
    expect(await begin(19)).toBe(5000)
    expect(await begin()).toBe(6000)
  })

  test('of a stretch that has ended leaves the next one free', async () => {
    const clock = { now: 5000 }
    const { budget, begin } = budgetAt(clock)
    await begin(10)
    clock.now = 6500
    budget.stated({ left: 0, endsIn: 0 })
    expect(await begin(10)).toBe(6500)
  })
})
