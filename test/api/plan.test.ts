import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultPlans, entitlements, type PlanId, planIds } from '../../src/api/plan.ts'
import { PlansError, parsePlans } from '../../src/api/plan-file.ts'
import { planFile } from './plan-file-example.ts'

const plan = (id: PlanId) => defaultPlans.byId(id)

describe('the default plans', () => {
  test('are those of the specification, least first', () => {
    expect(defaultPlans.all.map(({ id, dailyLimit, freshness }) => [id, dailyLimit, freshness])).toEqual([
      ['free', 5, 900_000],
      ['basic', 250, 15_000],
      ['growth', 2500, 15_000],
      ['alpha', undefined, 1000],
      ['enterprise', undefined, 1000]
    ])
  })

  test.each([
    ['etf', 'basic'],
    ['index', 'basic'],
    ['full_chain', 'growth'],
    ['same_day', 'growth'],
    ['svi', 'alpha'],
    ['replay', 'alpha'],
    ['admin', 'enterprise']
  ] as const)('first open %s on %s, and every plan above has it too', (entitlement, least) => {
    expect(defaultPlans.leastWith(entitlement).id).toBe(least)
    for (const id of planIds) {
      expect(defaultPlans.allows(plan(id), entitlement)).toBe(defaultPlans.atLeast(plan(id), least))
    }
  })

  test('lead up to the next plan that gives more requests, and nowhere from an unlimited one', () => {
    expect(planIds.map((id) => defaultPlans.nextAbove(plan(id))?.id)).toEqual([
      'basic',
      'growth',
      'alpha',
      undefined,
      undefined
    ])
  })

  test('cannot be changed by whoever holds them', () => {
    expect(Object.isFrozen(defaultPlans) && Object.isFrozen(defaultPlans.all)).toBe(true)
    expect(defaultPlans.all.every(Object.isFrozen)).toBe(true)
  })
})

describe("an operator's plans file", () => {
  test('that says what the defaults say gives the default plans', () => {
    expect(parsePlans(planFile()).all).toEqual(defaultPlans.all)
  })

  test('may put a plan between, in any order, and upgrades skip plans that give no more requests', () => {
    const pro = { ...planFile()[1], id: 'pro', name: 'Pro', rank: 15 }
    const plans = parsePlans([pro, ...planFile().reverse()])
    expect(plans.all.map(({ id }) => id)).toEqual(['free', 'basic', 'pro', 'growth', 'alpha', 'enterprise'])
    expect(plans.nextAbove(plans.byId('basic'))?.id).toBe('growth')
    expect(plans.byId('nobody')).toBeUndefined()
  })

  test.each([
    ['is no array', { plans: planFile() }, 'array'],
    ['holds something else than plans', [...planFile(), null], 'plan 6 must be an object'],
    ['gives an id twice', [...planFile(), { ...planFile()[0], rank: 1 }], 'the id free is given twice'],
    ['gives a rank twice', [...planFile(), { ...planFile()[0], id: 'pro' }], 'the rank 0 is given twice'],
    ['lacks a plan that endpoints name', planFile().slice(1), 'the plan free is missing'],
    ['ranks the plans in another order', change(0, { rank: 15 }), 'ranks must order the plans'],
    ['has a negative number of alerts', change(0, { alerts: -1 }), 'plan 1 (free): alerts'],
    [
      'shows a screen nobody knows',
      change(0, { page: { screens: ['attic'], symbols: 1, sessions: 1 } }),
      'page must give'
    ],
    ['shows no screen', change(0, { page: { screens: [], symbols: 1, sessions: 1 } }), 'page must give'],
    [
      'shows half a symbol',
      change(0, { page: { screens: ['overview'], symbols: 0.5, sessions: 1 } }),
      'page must give'
    ],
    [
      'shows more than is asked for',
      change(0, { page: { screens: ['overview'], symbols: 1, sessions: 1, days: 1 } }),
      'page must give'
    ],
    ['has a negative limit', change(0, { dailyLimit: -1 }), 'plan 1 (free): dailyLimit'],
    ['has half a request', change(0, { dailyLimit: 0.5 }), 'plan 1 (free): dailyLimit'],
    ['leaves the limit out', change(0, { dailyLimit: undefined }), 'plan 1 (free): dailyLimit'],
    ['has a freshness that is not a number', change(1, { freshness: '15s' }), 'plan 2 (basic): freshness'],
    ['has an endless freshness', change(1, { freshness: Number.POSITIVE_INFINITY }), 'plan 2 (basic): freshness'],
    ['names an entitlement nobody knows', change(1, { entitlements: ['etf', 'gold'] }), 'plan 2 (basic): entitlements'],
    ['has a field nobody knows', change(1, { limit: 5 }), 'the field limit is unknown'],
    ['puts a line break in a name', change(1, { name: 'Ba\nsic' }), 'plan 2 (basic): name'],
    [
      'sells more below than above',
      change(2, { entitlements: ['etf'] }),
      'growth lacks index, which basic below it has'
    ],
    [
      'holds an entitlement back from everybody',
      change(4, { entitlements: [...planFile()[3].entitlements] }),
      'add admin'
    ]
  ])('that %s is refused with a sentence about it', (_, json, sentence) => {
    expect(() => parsePlans(json)).toThrow(sentence)
  })

  test('has every fault told at once', () => {
    const broken = planFile().map((one, i) => (i < 2 ? { ...one, dailyLimit: -1, freshness: -1 } : one))
    const faults = faultsOf([...broken, 'text'])
    expect(faults).toHaveLength(5)
  })

  test('of any content is either refused with sentences or gives sound plans', () => {
    const field = fc.oneof(fc.jsonValue(), fc.constantFrom(...planIds, ...entitlements, 'unlimited', 0, 10))
    const raw = fc.dictionary(fc.constantFrom('id', 'name', 'rank', 'dailyLimit', 'freshness', 'entitlements'), field)
    fc.assert(fc.property(fc.array(raw, { maxLength: 6 }), (json) => faultsOf(json).length > 0))
  })
})

function change(index: number, part: object): object[] {
  return planFile().map((one, i) => (i === index ? { ...one, ...part } : one))
}

function faultsOf(json: unknown): readonly string[] {
  try {
    parsePlans(json)
    return []
  } catch (error) {
    if (error instanceof PlansError) return error.problems
    throw error
  }
}
