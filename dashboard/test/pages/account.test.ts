import { expect, test } from 'vitest'
import { asks, describePages, leadsTo, PATIENT, shows, textOf } from './browser.ts'
import { KEY, recorded, refusal } from './service.ts'

const NEW_KEY = 'gw_live_shownthisonce'

describePages('the account', ({ service, open }) => {
  /** Requested changes, with header and body. */
  const changes: { readonly path: string; readonly body: unknown }[] = []
  const users = recorded('users').users
  const admit = () => {
    changes.length = 0
    service().rules.unshift((url, { method, body, headers }) => {
      if (!url.pathname.startsWith('/v1/admin/') || method === 'GET') return undefined
      if (headers['x-gammawall'] !== '1') return { status: 401, body: { detail: 'no header' } }
      changes.push({ path: `${method} ${url.pathname}`, body })
      const [key] = recorded('keys').keys
      const made = { ...key, key: NEW_KEY, hint: 'once' }
      return { status: method === 'POST' ? 201 : 200, body: method === 'POST' ? made : key }
    })
  }
  const bodyOf = (path: string) => changes.find((each) => each.path === path)?.body

  test('says plan, use, key and what the plan opens, and no more to who administers nothing', async () => {
    const account = recorded('account')
    service().rules.unshift((url) =>
      url.pathname === '/v1/account'
        ? {
            body: {
              ...account,
              plan: 'growth',
              daily_limit: '2500',
              remaining: '2260',
              usage_today: 240,
              resets_at: '2026-11-24T00:00:00.000Z',
              capabilities: { ...account.capabilities, admin: false, stream: null, features: ['etf'] }
            }
          }
        : undefined
    )
    const { page, faults } = await open('#/account/SPY')
    await shows(page, '.own', '240 of 2,500 requests today')
    const own = await textOf(page, '.own')
    for (const words of ['growth', account.email, `…${account.key_hint}`, 'counted anew Mon 23 Nov 19:00 ET'])
      expect(own.toLowerCase()).toContain(words.toLowerCase())
    await shows(page, '.own', 'Streaming not included')
    await shows(page, '.opens', /ETFs yes/)
    await shows(page, '.opens', /Administration –/)
    expect(await page.locator('.users').count()).toBe(0)
    expect(service().asked.some((path) => path.includes('/admin/'))).toBe(false)
    expect(faults).toEqual([])
  })

  test('lists users, keys and changes for an administrator, and the keys of who is chosen', async () => {
    const { page, faults } = await open('#/account/SPY')
    await shows(page, '.users', users[1].email)
    for (const { email } of users) await shows(page, '.users', email)
    await shows(page, '.keys', `…${recorded('keys').keys[0].hint}`)
    await shows(page, '.audit', 'key create')
    await page.locator('.users tbody button').filter({ hasText: users[1].email }).click()
    await shows(page, '.keys', users[1].email)
    await asks(service(), new RegExp(`^/v1/admin/users/${users[1].id}/keys$`))
    await page.locator('.users input[type=search]').fill('growth')
    await expect.poll(() => page.locator('.users tbody tr').count(), PATIENT).toBe(1)
    expect(faults).toEqual([])
  })

  test('shows a new key once, and keeps it nowhere', async () => {
    admit()
    const { page, faults } = await open('#/account/SPY')
    await shows(page, '.keys', users[0].email)
    await page.locator('.keys input[name=name]').fill('notebook')
    await page.locator('.keys input[name=until]').first().fill('2027-01-31')
    await page.getByRole('button', { name: 'Create key' }).click()
    await expect.poll(() => page.locator('dialog .key').inputValue(), PATIENT).toBe(NEW_KEY)
    expect(bodyOf(`POST /v1/admin/users/${users[0].id}/keys`)).toEqual({ name: 'notebook', until: '2027-01-31' })
    await page.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => page.locator('dialog .key').inputValue(), PATIENT).toBe('')
    expect(await page.content()).not.toContain(NEW_KEY)
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(NEW_KEY)
    expect(faults).toEqual([])
  })

  test('changes plans at once, and asks twice before what cannot be undone', async () => {
    admit()
    const { page } = await open('#/account/SPY')
    await shows(page, '.keys', users[0].email)
    await page.getByLabel(`Plan of ${users[0].email}`).selectOption('growth')
    await expect.poll(() => bodyOf(`PATCH /v1/admin/users/${users[0].id}`), PATIENT).toEqual({ plan: 'growth' })
    const revoke = page.locator('.keys .small', { hasText: /evoke/ })
    await revoke.click()
    await shows(page, '.keys', 'Really revoke?')
    expect(changes.map(({ path }) => path)).not.toContain(`DELETE /v1/admin/keys/${recorded('keys').keys[0].id}`)
    await revoke.click()
    await expect
      .poll(() => changes.map(({ path }) => path), PATIENT)
      .toContain(`DELETE /v1/admin/keys/${recorded('keys').keys[0].id}`)
  })

  test('says why a change was refused', async () => {
    service().rules.unshift((url, { method }) =>
      url.pathname === '/v1/admin/users' && method === 'POST' ? refusal(409, 'user_exists') : undefined
    )
    const { page } = await open('#/account/SPY', { refusals: true })
    await shows(page, '.keys', users[0].email)
    await page.locator('.users input[name=email]').fill('desk@example.com')
    await page.getByRole('button', { name: 'Add user' }).click()
    await shows(page, '.refused', 'User exists.')
  })

  test('signs out', async () => {
    const { page } = await open('#/account/SPY')
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await shows(page, '.door', /API key/)
    await page.locator('#key').fill(KEY)
    await page.keyboard.press('Enter')
    await shows(page, '.own', recorded('account').email)
  })
})

describePages('the status', ({ service, open }) => {
  test('tells each check, each symbol that is held and what was recorded', async () => {
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await page.locator('h1').evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('.')
    await leadsTo(page, '#/status/SPY')
    await shows(page, '.status .regime', 'All is well')
    await shows(page, '.checks', 'Market data Healthy')
    await shows(page, '.held', recorded('symbols').held[0].symbol)
    const { written } = recorded('health').checks.find(({ name }: { name: string }) => name === 'history').details
    await shows(page, '.recorder', `Snapshots written ${written}`)
    await page.keyboard.press(',')
    await leadsTo(page, '#/account/SPY')
    expect(faults).toEqual([])
  })

  test('says what is broken, and when nothing answers', async () => {
    const health = recorded('health')
    const storage = { name: 'storage', status: 'Unhealthy', duration: 1, details: { reason: 'the disk is full' } }
    service().rules.unshift((url) =>
      url.pathname === '/health'
        ? { status: 503, body: { ...health, status: 'Unhealthy', checks: [...health.checks.slice(0, 2), storage] } }
        : undefined
    )
    const { page } = await open('#/status/SPY', { refusals: true })
    await shows(page, '.status .regime', 'Something is broken')
    await shows(page, '.checks', 'reason: the disk is full')
    service().rules.unshift((url) => (url.pathname === '/health' ? { status: 502, body: undefined } : undefined))
    await shows(page, '.status .regime', 'No answer')
  })
})
