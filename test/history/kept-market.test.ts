import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refuseOtherMarket, rememberMarket } from '../../src/history/kept-market.ts'

let data: string
const place = (source: 'synthetic' | 'cboe', history = 'embedded') => ({
  data,
  history,
  synthetic: source === 'synthetic'
})

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'gammawall-'))
  mkdirSync(join(data, 'history'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

test('real answers never rest on the days that a demonstration recorded in the same folder', () => {
  refuseOtherMarket(place('cboe'))
  rememberMarket(place('synthetic'))
  refuseOtherMarket(place('synthetic'))
  expect(() => refuseOtherMarket(place('cboe'))).toThrow(
    `the history in ${data} keeps made-up days, and real ones do not belong among them: choose another folder with --data`
  )
})

test('a demonstration adds nothing to a folder of real days', () => {
  rememberMarket(place('cboe'))
  refuseOtherMarket(place('cboe'))
  expect(() => refuseOtherMarket(place('synthetic'))).toThrow(
    'keeps real days, and made-up ones do not belong among them'
  )
})

test('a folder whose history is off or elsewhere serves any market', () => {
  rememberMarket(place('synthetic'))
  refuseOtherMarket(place('cboe', 'off'))
  refuseOtherMarket(place('cboe', 'http://localhost:8123/real'))
})
