import { expect, test } from 'vitest'
import { describePages, type Options, PATIENT, shows } from './browser.ts'
import { refusal } from './service.ts'

const NOTE = 'Free shows the last close: Overview of 10 symbols a day, and 20 sessions back.'
const OF_NOW = refusal(403, 'tier_restricted', {
  current_plan: 'Free',
  required_plan: 'Growth',
  page_at: '2026-11-20T16:00:00',
  page_screens: 'overview',
  page_note: NOTE
})
const BRAND = {
  name: 'Desk <Analytics>',
  support: 'mailto:help@desk.example',
  upgrade: { label: 'Compare plans', text: 'Live figures are in Growth.' },
  signIn: 'Sign in with Desk',
  trouble: 'The sign-in was cancelled.'
}

describePages('a front door', ({ service, open }) => {
  /** A service that shows the last close to the key of the page. */
  const onFree = () =>
    service().rules.unshift(({ pathname }, { isReplay }) =>
      !isReplay && /^\/v1\/(?!me|account|alerts|stream)/.test(pathname) ? OF_NOW : undefined
    )

  /** Opens the page as the service sends it with a brand. */
  const branded = (address: string) => openWith('brand', BRAND, address, { refusals: true })

  /** Opens the page as the service sends it with some facts. */
  async function openWith(name: string, facts: object, address: string, options: Options = {}) {
    const opened = await open(undefined, options)
    const { page } = opened
    await page.route(`${service().url}/`, async (route) => {
      const answer = await route.fetch()
      const content = JSON.stringify(facts).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
      const body = (await answer.text()).replace('</head>', `<meta name="${name}" content="${content}" /></head>`)
      await route.fulfill({ response: answer, body })
    })
    await page.goto(`${service().url}/${address}`)
    return opened
  }

  test('shows the last close on a plan that ends there, in one sentence with the way to more', async () => {
    onFree()
    const { page, faults } = await branded('#/overview/SPY')
    await shows(page, '.banner', `${NOTE} Live figures are in Growth. Compare plans`)
    await shows(page, '.rail', /Call wall/)
    await shows(page, '.state', /At the close Fri 20 Nov/)
    await expect.poll(() => page.locator('.to-live').innerText(), PATIENT).toBe('Close')
    expect(await page.locator('main').innerText()).not.toMatch(/Needs|not include/)
    expect(service().asked.filter((path) => path.startsWith('/replay/v1/exposure/summary'))).toEqual([
      expect.stringContaining('at=2026-11-20T16%3A00%3A00')
    ])
    await expect.poll(() => page.locator('.banner a').getAttribute('href'), PATIENT).toBe('/session/upgrade')
    expect(page.url()).not.toContain('at=')
    expect(faults).toEqual([])
  })

  test('asks for nothing on a screen that the plan lacks, and says so', async () => {
    onFree()
    const { page } = await branded('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    service().asked.length = 0
    await page.evaluate(() => {
      location.hash = '#/volatility/SPY'
    })
    await shows(page, '.locked', `Volatility is not in your plan ${NOTE}`)
    expect(service().asked.filter((path) => /volatility|vrp|optionquote/.test(path))).toEqual([])
    await page.evaluate(() => {
      location.hash = '#/account/SPY'
    })
    await shows(page, '.own', /Sign out everywhere/)
    await shows(page, '.own', /Link “Sign in with Desk” with this account/)
  })

  test('asks for nothing while nobody is signed in', async () => {
    service().rules.unshift(({ pathname }) => (pathname === '/session' ? undefined : { status: 401 }))
    const { page, faults } = await openWith('visitor', { signed_in: false }, '#/overview/SPY')
    await shows(page, '.door', /API key/)
    expect(service().asked).toEqual([])
    expect(faults).toEqual([])
  })

  test('asks for no figures of now where the plan ends at the last close', async () => {
    onFree()
    const visitor = { signed_in: true, plan: 'Free', stream: false, closing: OF_NOW.body }
    const { page, faults } = await openWith('visitor', visitor, '#/overview/SPY')
    await shows(page, '.banner', NOTE)
    await shows(page, '.rail', /Call wall/)
    await shows(page, '.state', /At the close Fri 20 Nov/)
    expect(service().asked.filter((path) => /^\/v1\/(?!account|alerts|recorded)/.test(path))).toEqual([])
    expect(faults).toEqual([])
  })

  test('asks for nothing that the plan is known to lack, and says which plan has it', async () => {
    const lacks = { Growth: ['/v1/exposure/summary/{symbol}', '/v1/exposure/narrative/{symbol}'] }
    const visitor = { signed_in: true, plan: 'Basic', stream: false, lacks }
    const { page, faults } = await openWith('visitor', visitor, '#/overview/SPY')
    await shows(page, '.regime', /Growth/)
    await shows(page, '.rail', /Call wall/)
    expect(service().asked.filter((path) => /summary|narrative|ticket/.test(path))).toEqual([])
    expect(faults).toEqual([])
  })

  test('shows earlier sessions by their moment, and nothing later than the close', async () => {
    onFree()
    service().rules.unshift(({ searchParams }) => ((searchParams.get('at') ?? '') > '2026-11-21' ? OF_NOW : undefined))
    const { page } = await open('#/overview/SPY?at=2026-11-19T10:30:00', { refusals: true })
    await shows(page, '.rail', /Call wall/)
    await shows(page, '.state', /Replay/)
    await page.evaluate(() => {
      location.hash = '#/overview/SPY?at=2027-01-04T10:30:00'
    })
    await shows(page, '.state', /At the close Fri 20 Nov/)
  })

  test('says once that the symbols of today are opened', async () => {
    const body = { error: 'Quota exceeded', message: 'x', symbols: 10, reset_at: '2026-11-24T00:00:00Z' }
    service().rules.unshift(({ pathname }) => (/^\/v1\/(?!me)/.test(pathname) ? { status: 429, body } : undefined))
    const { page } = await open('#/overview/SPY', { refusals: true })
    await shows(page, '.banner', 'Today’s 10 symbols are opened; those go on. They begin anew Mon 23 Nov 19:00 ET.')
  })

  test('has the name, the button of the identity provider, its trouble and the links of the company', async () => {
    service().rules.unshift(() => ({ status: 401, body: { detail: 'no API key' } }))
    const { page, faults } = await branded('#/overview/SPY')
    await shows(page, '.door h1', 'Desk <Analytics>')
    await shows(page, '.door .trouble', 'The sign-in was cancelled.')
    await expect.poll(() => page.locator('.door a.primary').getAttribute('href'), PATIENT).toBe('/session/oidc')
    await expect.poll(() => page.locator('.door .link').innerText(), PATIENT).toBe('Support')
    expect(await page.locator('.door').innerText()).not.toContain('demo keys')
    expect(faults).toEqual([])
  })
})
