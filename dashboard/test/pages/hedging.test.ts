import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { level, price, usd } from '../../src/parts/format.ts'
import { describePages, leadsTo, PATIENT, settled, shows, textOf } from './browser.ts'
import { type Json, recorded, type ScriptedAnswer } from './service.ts'

const plain = (text: string) => text.replace(/\s/g, ' ')
const trade = (worth: number) => plain(`${worth < 0 ? 'sell' : 'buy'} ${usd(Math.abs(worth))}`)

/** Trades of dealers at a point of a profile, in the words of the screen. */
const tradesAt = ({ gex, vex, chex }: Json, i: number) => [trade(-gex[i]), trade(-vex[i] / 100), trade(-chex[i])]

describePages('hedging', ({ service, open }) => {
  const answer = (path: RegExp, answerOf: (url: URL) => ScriptedAnswer | undefined) =>
    service().rules.unshift((url) => (path.test(url.pathname) ? answerOf(url) : undefined))

  test('tells at each price what the profile of the service says', async () => {
    const { page, faults } = await open('#/hedging/SPY')
    const profile = recorded('profile')
    await shows(page, '.side', price(profile.spots[40]))
    const rows = async () => {
      const cells = await page
        .locator('.stands tbody tr')
        .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent!.replace(/\s/g, ' '))))
      return cells.map(([head, ...trades]) => [head!.split(' ')[0], ...trades])
    }
    const moves = [3, 2, 1, 0.5, 0, -0.5, -1, -2, -3]
    await expect
      .poll(rows, PATIENT)
      .toEqual(moves.map((move) => [price(profile.spots[40 + 4 * move]), ...tradesAt(profile, 40 + 4 * move)]))
    await shows(page, '.regime', usd(profile.gex[40]))
    await shows(page, '.regime', level(profile.crossings.findLast((each: number) => each < profile.spots[40])))
    for (const { gex } of profile.by_bucket) await shows(page, '.buckets', usd(gex[40]))
    await shows(page, '.side', recorded('narrative').narrative.charm)
    expect(faults).toEqual([])
  })

  test('the price slider moves along the points of the profile', async () => {
    const { page } = await open('#/hedging/SPY')
    const profile = recorded('profile')
    await shows(page, '.side', price(profile.spots[40]))
    await page.getByRole('slider', { name: 'Price' }).focus()
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight')
    await leadsTo(page, /move=0\.75$/)
    await shows(page, '.stands .here', price(profile.spots[43]))
    const [gamma] = tradesAt(profile, 43)
    await shows(
      page,
      '.regime .word',
      new RegExp(`${level(profile.spots[43])}.*dealers ${gamma!.replace(/[$.]/g, '\\$&')}`)
    )
    expect(service().asked.filter((path) => path.includes('/profile/')).length).toBe(1)
  })

  test('another volatility at another moment is asked of the service, once a rest', async () => {
    const { page } = await open('#/hedging/SPY?move=-2')
    await shows(page, '.side', price(recorded('profile').spots[32]))
    const asked = () => service().asked.filter((path) => path.includes('/profile/'))
    await page.locator('.setting').getByText('Close').click()
    await expect.poll(() => asked().at(-1), PATIENT).toMatch(/when=close/)
    const before = asked().length
    await page.getByRole('slider', { name: 'Volatility' }).evaluate((slider: HTMLInputElement) => {
      for (const points of ['1', '2', '3']) {
        slider.value = points
        slider.dispatchEvent(new Event('input', { bubbles: true }))
      }
    })
    await leadsTo(page, /move=-2&vol=3&when=close$/)
    const moved = recorded('profile-moved')
    for (const text of tradesAt(moved, 32)) await shows(page, '.stands .here', text)
    await shows(page, '.regime .word', /^Dealers \w+ moves At the close, at .* with volatility up 3 points dealers /)
    await expect.poll(() => asked().slice(before), PATIENT).toEqual([expect.stringMatching(/when=close&vol_shift=3/)])
    await page.locator('.reset').click()
    await leadsTo(page, /#\/hedging\/SPY$/)
    await shows(page, '.stands .here', price(recorded('profile').spots[40]))
  })

  test('a moved profile that comes late is dropped, and the address restores a setting', async () => {
    answer(/profile/, ({ searchParams }) => {
      const vol = searchParams.get('vol_shift')
      if (vol === null || vol === '0') return undefined
      const body = { ...recorded('profile-moved'), when: 'now', vol_shift: Number(vol) }
      return {
        body: { ...body, gex: body.gex.map(() => (vol === '1' ? 111e6 : 222e6)) },
        delay: vol === '1' ? 1500 : 0
      }
    })
    const { page } = await open('#/hedging/SPY?vol=1')
    await shows(page, '.side', price(recorded('profile').spots[40]))
    await page.waitForTimeout(300)
    await page.evaluate(() => {
      location.hash = '#/hedging/SPY?vol=2'
    })
    await shows(page, '.regime', /222/)
    await page.waitForTimeout(1600)
    expect(await textOf(page, '.regime')).toContain('222')
    await expect.poll(() => page.getByRole('slider', { name: 'Volatility' }).inputValue(), PATIENT).toBe('2')
  })

  test('pressing on the picture chooses a price', async () => {
    const { page } = await open('#/hedging/SPY')
    await shows(page, '.side', /spot/)
    const box = (await page.locator('.gamma-profile .plot-over').boundingBox())!
    await page.mouse.click(box.x + box.width * 0.75, box.y + box.height / 2)
    await leadsTo(page, /move=(4\.75|5|5\.25)$/)
  })

  test('a panel gives its figures as a file', async () => {
    const opened = await open('#/hedging/SPY')
    const { page } = opened
    await shows(page, '.side', /spot/)
    await settled(opened)
    await page.locator('.gamma-profile .menu summary').click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByText('Figures, CSV').locator('visible=true').click()
    ])
    expect(file.suggestedFilename()).toBe('SPY-gamma-profile.csv')
    const profile = recorded('profile')
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n')
    expect(lines[0]).toMatch(/^# Gamma at every price, SPY, 2026-11-20T.* New York, source synthetic$/)
    expect(lines.slice(2)).toHaveLength(81)
    expect(lines[42]).toBe(
      [profile.spots, profile.gex, profile.dex, profile.vex, profile.chex].map((each) => each[40]).join()
    )
  })

  test('no flip within reach is said, and nothing later than the moment of a replay is drawn', async () => {
    answer(/profile/, () => ({ body: { ...recorded('profile'), crossings: [] } }))
    const until = Date.parse('2026-11-20T11:00:00-05:00')
    const pictures: string[] = []
    for (const isPoisoned of [false, true]) {
      answer(/session/, () => ({ body: { ...recorded('session'), as_of: new Date(until).toISOString() } }))
      answer(/series/, () => {
        const body = recorded('series-hedging')
        if (isPoisoned)
          body.t.forEach((text: string, i: number) => {
            if (Date.parse(text) > until) for (const name of Object.keys(body.columns)) body.columns[name][i] = -9e12
          })
        return { body }
      })
      const { page } = await open('#/hedging/SPY?at=2026-11-20T11:00:00')
      await shows(page, '.regime', /Flip below – within 10 %: none/)
      await page.waitForLoadState('networkidle')
      await page.waitForTimeout(400)
      pictures.push(
        await page
          .locator('.through-day canvas')
          .first()
          .evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL())
      )
      await page.context().close()
    }
    expect(pictures[1]).toBe(pictures[0])
  })
})
