import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { KEYS } from '../src/parts/key-list.tsx'
import { SCREEN_IDS, SCREENS, screensLinkedBy } from '../src/state/page/screens.ts'

const page = readFileSync(new URL('../../docs/dashboard.md', import.meta.url), 'utf8')

test('no key has two meanings', () => {
  const keys = KEYS.flatMap(([each]) => each.split(' '))
  expect(keys).toEqual([...new Set(keys)])
})

test('the list of keys begins with those of the screens', () => {
  expect(KEYS.slice(0, 4)).toEqual([
    ['1 2 3 4', 'Overview, Expirations, 0DTE, Volatility'],
    ['5 6 7 8', 'Hedging, Premium, Lab, Screener'],
    ['9 o i w', 'Alerts, Flow, Ideas, Workspace'],
    [', .', 'Account, Status']
  ])
})

test('the head opens every screen by one link', () => {
  const linked = [...screensLinkedBy('tab'), ...screensLinkedBy('icon'), ...screensLinkedBy('state')]
  expect(linked.sort()).toEqual([...SCREEN_IDS].sort())
})

test.each(SCREEN_IDS)('the page about the dashboard says what %s shows, and its key', (id) => {
  const { title, key } = SCREENS[id]
  const row = page.split('\n').find((line) => line.startsWith(`| ${title} |`))
  expect(row?.split('|')[2]?.replaceAll('`', '').trim()).toBe(key)
})
