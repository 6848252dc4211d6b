import { expect, test } from 'vitest'
import { showSignals } from '../../../src/cli/service/signals-command.ts'
import type { Client } from '../../../src/client/client.ts'
import { RequestError } from '../../../src/client/request-error.ts'

const condor = {
  structure: 'iron_condor',
  expiry: '2026-08-07',
  credit: 2.6,
  legs: [
    { type: 'put', strike: 678 },
    { type: 'put', strike: 665 },
    { type: 'call', strike: 693 },
    { type: 'call', strike: 706 }
  ]
}
const neutral = { decision: 'neutral', score: 45, confidence: 0.7, regime: 'some', best_structures: [] }

/** A service with a given answer for each path, which records the requested moment. */
function serviceOf(answer: (path: string) => object) {
  const moments: unknown[] = []
  const get = async (path: string, _: object, { at }: { readonly at?: string }) => {
    moments.push(at)
    return answer(path)
  }
  return { client: { get } as unknown as Pick<Client, 'get'>, moments }
}

async function shown(answer: (path: string) => object, json = false, at?: string) {
  const lines: string[] = []
  const { client, moments } = serviceOf(answer)
  await showSignals(client, { symbol: 'SPY', at, json }, { out: (line) => lines.push(line) })
  return { text: lines.join('\n'), moments }
}

test('a row for each signal, with the structure it lists first', async () => {
  const dealers = { ...neutral, decision: 'candidate', score: 79, confidence: 0.85, best_structures: [condor] }
  const { text, moments } = await shown((path) => (path.includes('dealer-regime') ? dealers : neutral))
  const rows = text.split('\n').map((line) => line.split(/ {2,}/))
  expect(rows).toHaveLength(11)
  expect(rows[0]).toEqual(['SIGNAL', 'DECISION', 'SCORE', 'CONFIDENCE', 'REGIME', 'FIRST STRUCTURE'])
  const structure = 'iron_condor 2026-08-07 678/665p 693/706c for 2.60'
  expect(rows).toContainEqual(['dealer-regime', 'candidate', '79', '0.85', 'some', structure])
  expect(rows).toContainEqual(['skew', 'neutral', '45', '0.70', 'some', '-'])
  expect(moments).toEqual(Array(10).fill(undefined))
})

test('a signal that the plan of the key does not have says so beside the others', async () => {
  const refuse = (path: string) => {
    if (path.includes('vol-carry')) throw new RequestError('tier_restricted', 'a higher plan is needed')
    return neutral
  }
  expect((await shown(refuse)).text).toMatch(/^vol-carry +- +- +- +tier_restricted +-$/m)
  const json = JSON.parse((await shown(refuse, true, '2026-07-29')).text)
  expect(json['vol-carry']).toEqual({ error: 'tier_restricted', message: 'a higher plan is needed' })
  expect(json.skew).toEqual(neutral)
})

test('what refuses all of them is the failure of the command', async () => {
  const refuse = () => {
    throw new RequestError('symbol_not_found', 'nothing is known of NOPE')
  }
  await expect(shown(refuse)).rejects.toThrow('nothing is known of NOPE')
  expect((await shown(() => neutral, false, '2026-07-29')).moments).toEqual(Array(10).fill('2026-07-29'))
})
