import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { plainBrand } from '../../src/api/brand/brand.ts'
import { defaultPlans, plansOf, replaceablePlans } from '../../src/api/plan.ts'
import { settingsReload } from '../../src/app/settings-reload.ts'
import type { Presets } from '../../src/config/presets.ts'
import type { LogLevel } from '../../src/config/settings.ts'
import { useRenames } from '../../src/market/renames.ts'
import { readSymbol } from '../../src/market/security.ts'
import { ticker } from '../live/standing-market.ts'
import { service } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

afterEach(() => useRenames([]))

const growthOf = (dailyLimit: number) =>
  defaultPlans.all.map((plan) => ({
    ...plan,
    dailyLimit: plan.id === 'growth' ? dailyLimit : (plan.dailyLimit ?? 'unlimited')
  }))

/** The settings of a service on a folder with files of its own. */
function reloading() {
  const data = temporaryFolder()
  const write = (name: string, content: unknown) =>
    writeFileSync(join(data, name), typeof content === 'string' ? content : JSON.stringify(content, undefined, 1))
  const plans = replaceablePlans(defaultPlans)
  const presets = { current: { mine: [ticker('SPY')] } as Presets }
  const noted: unknown[] = []
  const told: unknown[] = []
  const log = { level: 'info', info: (fields: unknown) => void told.push(fields) }
  const accounts = {
    note: async (entry: unknown) => void noted.push(entry),
    plansReplaced: () => void noted.push('replaced')
  }
  const files = { data, plansFile: undefined, presetsFile: undefined, statedLogLevel: 'info' as LogLevel }
  const brand = { current: plainBrand }
  const reload = settingsReload({ files, plans, presets, brand, accounts, log: log as never })
  return { reload, brand, write, plans, presets, noted, told, log }
}

test('plans, presets and log level are read anew, and what changed is audited and logged', async () => {
  const { reload, write, plans, presets, noted, told, log } = reloading()
  write('plans.json', growthOf(3000))
  write('presets.json', { mine: ['SPY', 'QQQ'] })
  write('renames.csv', 'OLDCO,NEWCO,2026-03-02\n')
  write('log-level', 'debug\n')
  const changed = [
    'plan growth: dailyLimit 2500 became 3000',
    'preset mine: 1 symbols became 2 symbols',
    'rename OLDCO is NEWCO from 2026-03-02: added',
    'log level: info became debug'
  ]
  expect(await reload('SIGHUP')).toEqual(changed)
  expect([plans.byId('growth').dailyLimit, presets.current['mine'], log.level]).toEqual([3000, ['SPY', 'QQQ'], 'debug'])
  expect(readSymbol('oldco')).toBe('NEWCO')
  const detail = { 1: changed[0], 2: changed[1], 3: changed[2], 4: changed[3] }
  expect(noted).toEqual([{ actor: 'SIGHUP', action: 'settings.reload', target: 'settings', detail }, 'replaced'])
  expect(told).toEqual([{ actor: 'SIGHUP', changed }])
  expect(await reload('SIGHUP')).toEqual([])
  expect(noted).toHaveLength(2)
  write('renames.csv', '')
  expect(await reload('SIGHUP')).toEqual(['rename OLDCO is NEWCO from 2026-03-02: removed'])
  expect(readSymbol('oldco')).toBe('OLDCO')
})

test('a brand is read anew, and one with a mistake is named and changes nothing', async () => {
  const { reload, write, brand } = reloading()
  write('brand.json', { name: 'Desk', support: 'mailto:help@desk.example' })
  expect(await reload('SIGHUP')).toEqual([
    'preset mine: 1 symbols became no symbols',
    'brand: name "gammawall" became "Desk"',
    'brand: support null became "mailto:help@desk.example"'
  ])
  write('brand.json', '{ "name": "Desk",\n "colour": "red" }')
  await expect(reload('SIGHUP')).rejects.toThrow(/brand\.json: the field colour is unknown/)
  write('brand.json', '{ "name": "Desk",\n ')
  await expect(reload('SIGHUP')).rejects.toThrow(/brand\.json: it cannot be read: line 2/)
  expect(brand.current.name).toBe('Desk')
})

test('a line of renames with a mistake is named, and the names stay as they are', async () => {
  const { reload, write } = reloading()
  write('renames.csv', 'OLDCO,NEWCO,2026-03-02')
  await reload('SIGHUP')
  write('renames.csv', 'AAA,BBB,2026-03-02\n\nOLDCO,NEWCO,yesterday')
  await expect(reload('SIGHUP')).rejects.toThrow(/renames\.csv: line 3: it must be an old symbol, a new one and a date/)
  expect([readSymbol('OLDCO'), readSymbol('AAA')]).toEqual(['NEWCO', 'AAA'])
})

test('a file with a mistake changes nothing and is named with the line', async () => {
  const { reload, write, plans, presets, noted, log } = reloading()
  write('plans.json', growthOf(3000))
  write('presets.json', '{\n "mine": ["QQQ"],\n "Bad": ["SPY"]\n}')
  write('log-level', 'loud')
  await expect(reload('x')).rejects.toThrow(
    /presets\.json: line 3: Bad must be a lower-case name\n.*log-level: line 1: it must/
  )
  write('presets.json', '{\n "mine": ["QQQ"]')
  await expect(reload('x')).rejects.toThrow(/presets\.json cannot be read: line 2: /)
  write(
    'plans.json',
    `[\n${growthOf(-1)
      .map((plan) => JSON.stringify(plan))
      .join(',\n')}\n]`
  )
  await expect(reload('x')).rejects.toThrow(/plans\.json: line 4: plan 3 \(growth\): dailyLimit must be/)
  expect([plans.byId('growth').dailyLimit, Object.keys(presets.current), log.level, noted]).toEqual([
    2500,
    ['mine'],
    'info',
    []
  ])
})

test('a kept answer and an open account follow the new plan', async () => {
  const plans = replaceablePlans(defaultPlans)
  const running = service({ plans })
  const key = running.keyOn('growth')
  const limits = async () => (await running.ask('/v1/exposure/levels/SPY', key)).headers['x-ratelimit-limit']
  expect([await limits(), await limits()]).toEqual(['2500', '2500'])
  const growth = { ...defaultPlans.byId('growth'), dailyLimit: 3000 }
  plans.replace(plansOf(defaultPlans.all.map((plan) => (plan.id === 'growth' ? growth : plan))))
  running.accounts.plansReplaced()
  expect(await limits()).toBe('3000')
  await running.close()
})
