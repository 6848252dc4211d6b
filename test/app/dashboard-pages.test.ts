import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { plainBrand } from '../../src/api/brand/brand.ts'
import { defaultPlans, replaceablePlans } from '../../src/api/plan.ts'
import { mountDashboard, readDashboard } from '../../src/app/dashboard-pages.ts'
import { readConfig } from '../../src/config/config.ts'
import { createHttp } from '../../src/server/http/http-server.ts'
import { createLog } from '../../src/server/operations/log.ts'
import { service } from '../support/service.ts'

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-dashboard-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const builtFolder = () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'index.html'), 'page')
  return folder
}

/** A host with what browsers need, as the settings have it. */
async function mounted(flags: Readonly<Record<string, string>>, { built = true, demo = true } = {}) {
  const running = service()
  const files = readDashboard(
    { dashboard: true, dashboardWorker: true },
    () => {},
    built ? builtFolder() : emptyFolder()
  )
  const { accounts, secrets, sessions, isOwnHost, embedTokens, http, keyOn } = running
  const rest = createHttp(http)
  onTestFinished(async () => {
    await rest.close()
    await running.close()
  })
  const demoKeys = demo ? { areNew: true, keys: { alpha: keyOn('alpha') } } : undefined
  const config = readConfig(flags, {})
  const parts = {
    accounts,
    demoKeys,
    brand: { current: plainBrand },
    plans: replaceablePlans(defaultPlans),
    secrets,
    log: createLog('silent').log
  }
  const link = mountDashboard(rest, config, parts, { files, sessions, isOwnHost, embedTokens })
  const get = (url: string) => rest.inject({ url, headers: { accept: 'text/html' } })
  return { rest, link, get, key: keyOn('free') }
}

test('a dashboard that was not built is said once, one that is not wanted is not looked for', async () => {
  const logged: string[] = []
  const log = (sentence: string) => logged.push(sentence)
  expect(readDashboard({ dashboard: true, dashboardWorker: true }, log, emptyFolder())).toBeUndefined()
  expect(logged).toEqual(['the dashboard was not built, so it is not served; all else is'])
  expect(readDashboard({ dashboard: false, dashboardWorker: true }, log, builtFolder())).toBeUndefined()
  expect(readDashboard({ dashboard: true, dashboardWorker: true }, log, builtFolder())?.size).toBe(1)
  expect(logged).toHaveLength(1)
})

test('a link opens it on the loopback address, while there is an alpha demo key, unless it is turned off', async () => {
  expect((await mounted({})).link).toBeDefined()
  expect((await mounted({ host: '::1' })).link).toBeDefined()
  expect((await mounted({ open: 'off' })).link).toBeUndefined()
  expect((await mounted({ host: '0.0.0.0' })).link).toBeUndefined()
  expect((await mounted({}, { demo: false })).link).toBeUndefined()
  expect((await mounted({}, { built: false })).link).toBeUndefined()
})

test('without the link what it would carry is not looked at', async () => {
  const { get } = await mounted({ open: 'off' })
  const answer = await get('/?open=anything')
  expect([answer.statusCode, answer.body, answer.headers['set-cookie']]).toEqual([200, 'page', undefined])
})

test('browsers sign in also where the pages come from elsewhere, as in development', async () => {
  const { rest, get, key } = await mounted({}, { built: false })
  expect((await get('/')).statusCode).toBe(404)
  const signedIn = await rest.inject({ method: 'POST', url: '/session', payload: { key } })
  expect([signedIn.statusCode, signedIn.json().plan]).toEqual([200, 'free'])
})

test('without the worker the page says so, and one that a browser has removes itself', () => {
  const folder = builtFolder()
  writeFileSync(join(folder, 'index.html'), '<body class="x">page</body>')
  writeFileSync(join(folder, 'worker.js'), 'keep()')
  const read = (dashboardWorker: boolean, name: string) =>
    readDashboard({ dashboard: true, dashboardWorker }, () => {}, folder)!.get(name)!
  expect(read(true, 'worker.js').body.toString()).toBe('keep()')
  expect(read(true, 'index.html').body.toString()).not.toContain('data-worker')
  expect(read(false, 'index.html').body.toString()).toBe('<body data-worker="off" class="x">page</body>')
  expect(read(false, 'worker.js').body.toString()).toContain('registration.unregister()')
  expect(read(false, 'index.html').etag).not.toBe(read(true, 'index.html').etag)
})
