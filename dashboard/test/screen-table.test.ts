import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { KEYS } from '../src/parts/key-list.tsx'
import { LETTERS, SCREEN_IDS, SCREENS, type Screen, screensLinkedBy } from '../src/state/page/screens.ts'

const page = readFileSync(new URL('../../docs/dashboard.md', import.meta.url), 'utf8')

test('no key has two meanings', () => {
  const keys = KEYS.flatMap(([each]) => each.split(' '))
  expect(keys).toEqual([...new Set(keys)])
})

test('after g every screen has a letter of its title', () => {
  expect([...LETTERS.values()].sort()).toEqual([...SCREEN_IDS].sort())
  for (const [letter, id] of LETTERS) expect(SCREENS[id].title.toLowerCase()).toContain(letter)
  expect([...LETTERS.keys()].join('')).toBe('oe0vhplsafiwct')
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
  const linked: Screen[] = [...screensLinkedBy('tab'), ...screensLinkedBy('icon'), ...screensLinkedBy('state')]
  const parts = screensLinkedBy('part')
  expect([...linked, ...parts].sort()).toEqual([...SCREEN_IDS].sort())
  for (const id of parts) expect(linked).toContain(SCREENS[id].within)
})

test.each(SCREEN_IDS)('the page about the dashboard says what %s shows, and its key', (id) => {
  const { title, key } = SCREENS[id]
  const row = page.split('\n').find((line) => line.startsWith(`| ${title} |`))
  expect(row?.split('|')[2]?.replaceAll('`', '').trim()).toBe(key)
})
