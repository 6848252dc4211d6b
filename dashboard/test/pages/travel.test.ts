import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describePages, leadsTo, PATIENT, settled, shows, textOf } from './browser.ts'
import { type Json, recorded, refusal } from './service.ts'

const pictureOf = (page: Page) =>
  page.locator('.stage .time-chart canvas >> nth=0').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL())

describePages('the timeline', ({ service, open }) => {
  /** Opens an overview and waits for the hours and the recorded moments of its day, without which nothing travels. */
  const opened = async (address: string) => {
    const made = await open(address)
    await shows(made.page, '.rail', /Call wall/)
    await settled(made)
    return made
  }

  test('nothing later than the moment of a replay is ever drawn', async () => {
    const until = Date.parse('2026-11-20T11:00:00-05:00')
    const pictures: string[] = []
    for (const poison of [false, true]) {
      service().rules.length = 0
      service().rules.unshift((url) => {
        const spoil = (name: string, change: (answer: Json) => void) => {
          const body = recorded(name)
          if (poison) change(body)
          return { body }
        }
        if (url.pathname.includes('/bars/'))
          return spoil('bars', ({ t0, dt, o, h, l, c, v, columns }) => {
            let time = t0
            dt.forEach((seconds: number, i: number) => {
              time += seconds
              if (1000 * (time + 900) <= until) return
              for (const column of [o, h, l, c, v, ...Object.values<number[]>(columns)]) column[i] = 685
            })
          })
        if (url.searchParams.get('by') === 'time')
          return spoil('map', ({ columns, values }) =>
            columns.forEach((text: string, i: number) => {
              if (Date.parse(text) > until) for (const row of values) row[i] = -1e12
            })
          )
        if (url.pathname.includes('/session/'))
          return { body: { ...recorded('session'), as_of: new Date(until).toISOString() } }
        return undefined
      })
      const { page } = await open('#/overview/SPY?at=2026-11-20T11:00:00')
      await shows(page, '.rail', /Call wall/)
      await shows(page, '.state', /Replay/)
      await page.waitForLoadState('networkidle')
      await page.waitForTimeout(300)
      pictures.push(await pictureOf(page))
      await page.context().close()
    }
    expect(pictures[1]).toBe(pictures[0])
    // Alerts are of the live market; marks of what fired are cut.
    expect(service().asked.filter((path) => !/^\/(replay|v1\/alerts)/.test(path))).toEqual([])
  })

  test('a press on a time below the slider goes to that very moment', async () => {
    const { page, faults } = await opened('#/overview/SPY')
    await page.locator('.ticks button', { hasText: '10:30' }).click()
    await leadsTo(page, 'at=2026-11-20T10:30:00')
    await shows(page, '.state', /Replay/)
    expect(faults).toEqual([])
  })

  test('an answer that comes late is dropped', async () => {
    service().rules.unshift((url, { isReplay }) => {
      if (!isReplay || !url.pathname.includes('summary')) return undefined
      const isFirst = url.searchParams.get('at')!.includes('10:00')
      const body = { ...recorded('summary'), gamma_flip: isFirst ? 111 : 222 }
      return { body, delay: isFirst ? 1500 : 0 }
    })
    const { page } = await opened('#/overview/SPY')
    for (const time of ['10:00', '10:30'])
      await page.evaluate((at) => {
        location.hash = `#/overview/SPY?at=2026-11-20T${at}:00`
      }, time)
    await shows(page, '.regime', /222/)
    await page.waitForTimeout(1800)
    expect(await textOf(page, '.regime')).toContain('222')
  })

  test('keys travel, choose and come back to now, and the address keeps it all', async () => {
    const { page, faults } = await opened('#/overview/SPY')
    await page.locator('h1').evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    const press = async (key: string, expected: RegExp) => {
      await page.keyboard.press(key)
      await leadsTo(page, expected)
    }
    await press('ArrowLeft', /at=2026-11-20T11:5\d:00/)
    await press('Shift+ArrowLeft', /at=2026-11-20T11:3\d:00/)
    await press('Home', /at=2026-11-20T09:31:00/)
    await press('End', /at=2026-11-20T16:00:00/)
    await press('k', /scale=linear/)
    await press('m', /map=off/)
    await press('d', /today=only/)
    await press('+', /range=1\.9/)
    await press('0', /today=only$/)
    await press('l', /#\/overview\/SPY\?scale=linear&map=off&today=only$/)
    await press('2', /#\/expirations\/SPY/)
    await press('4', /#\/volatility\/SPY/)
    await press('h', /surface=heat/)
    await press('1', /#\/overview\/SPY/)
    await page.keyboard.press('t')
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme']), PATIENT).toBe('light')
    await page.keyboard.press('?')
    await shows(page, '#keys', /what expires today only/)
    await page.keyboard.press('Escape')
    await page.locator('#keys').waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await page.keyboard.type('qqq')
    await page.keyboard.press('Enter')
    await leadsTo(page, '#/overview/QQQ')
    await page.goBack()
    await leadsTo(page, '#/overview/SPY')
    expect(faults).toEqual([])
  })

  test('a day that was recorded each hour is replayed at every position of the slider', async () => {
    const hours = ['10:30:00', '11:30:00', '12:30:00']
    service().rules.unshift((url, { isReplay }) => {
      if (url.pathname.startsWith('/v1/recorded/')) return { body: { sessions: [{ moments: hours }] } }
      const at = url.searchParams.get('at')
      return isReplay && at !== null && !hours.includes(at.slice(11)) ? refusal(404, 'no_data') : undefined
    })
    const { page, faults } = await opened('#/overview/SPY?at=2026-11-20T11:30:00')
    const slider = page.locator('.track input')
    const pullTo = (minute: number) =>
      slider.evaluate((input, value) => {
        Object.assign(input, { value })
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }, String(minute))
    await pullTo(100)
    await leadsTo(page, /at=2026-11-20T10:30:00/)
    await pullTo(179)
    await leadsTo(page, /at=2026-11-20T11:30:00/)
    await page.locator('h1').evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('ArrowRight')
    await leadsTo(page, /at=2026-11-20T12:30:00/)
    await page.keyboard.press('ArrowLeft')
    await leadsTo(page, /at=2026-11-20T11:30:00/)
    await page.evaluate(() => {
      location.hash = '#/overview/SPY?at=2026-11-20T12:10:00'
    })
    await shows(page, '.state', /11:30 is the newest by 12:10/)
    await shows(page, '.rail', /Call wall/)
    const asked = service().asked.filter((each) => each.startsWith('/replay/v1/exposure/levels'))
    expect(asked.filter((each) => !hours.some((hour) => decodeURIComponent(each).includes(hour)))).toEqual([])
    expect(faults).toEqual([])
  })

  test.each([
    [60, 'hour'],
    [15, '15 minutes'],
    [1, 'minute']
  ])('a day that was recorded each %i minutes has figures at every position of the slider', async (minutes, words) => {
    const times = Array.from({ length: Math.floor(390 / minutes) }, (_, i) => {
      const minute = 570 + minutes * (i + 1)
      return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`
    })
    service().rules.unshift((url, { isReplay }) => {
      if (url.pathname.startsWith('/v1/recorded/')) return { body: { sessions: [{ moments: times }] } }
      const at = url.searchParams.get('at')
      return isReplay && at !== null && !times.includes(at.slice(11)) ? refusal(404, 'no_data') : undefined
    })
    const { page, faults } = await opened('#/overview/SPY?at=2026-11-20T11:30:00')
    const slider = page.locator('.track input')
    for (const minute of [60, 61, 97, 134, 179, 180, 181, 243, 299, 360, 389]) {
      await slider.evaluate((input, value) => {
        Object.assign(input, { value })
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }, String(minute))
      const clock = 570 + minutes * Math.floor(minute / minutes)
      const text = `${String(Math.floor(clock / 60)).padStart(2, '0')}:${String(clock % 60).padStart(2, '0')}`
      await leadsTo(page, `at=2026-11-20T${text}:00`)
    }
    await shows(page, '.rail', /Call wall/)
    expect(await page.locator('.banner').count()).toBe(0)
    if (minutes > 5) {
      await page.evaluate(
        (hash) => {
          location.hash = hash
        },
        `#/overview/SPY?at=2026-11-20T11:${minutes === 60 ? '40' : '39'}:00`
      )
      await shows(page, '.banner', new RegExp(`Recorded each ${words}: 11:30 is the newest by 11:`))
      await page.locator('.banner a').click()
      await leadsTo(page, `at=2026-11-20T${minutes === 60 ? '12:30' : '11:45'}:00`)
    }
    expect(faults).toEqual([])
  })

  test('a key counts as soon as a dialog is closed, and not before', async () => {
    const { page } = await opened('#/overview/SPY')
    await page.keyboard.press('?')
    await shows(page, '#keys', /what expires today only/)
    const focused = await page.evaluate(() => {
      const press = () => {
        document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))
        return document.activeElement!.id
      }
      const before = press()
      document.querySelector<HTMLDialogElement>('#keys')!.close()
      return [before, press()] // in one task, so that no frame is drawn in between
    })
    expect(focused).toEqual(['', 'symbol'])
  })

  test('an address restores the picture', async () => {
    const address = '#/overview/SPY?at=2026-11-20T11:00:00&range=1.5&scale=linear&map=off&today=only'
    const { page } = await open(address)
    await shows(page, '.rail', /Call wall/)
    await expect
      .poll(() => page.locator('[aria-label="Root scale"]').getAttribute('aria-pressed'), PATIENT)
      .toBe('false')
    await expect
      .poll(() => page.locator('[aria-label="Gamma map"]').getAttribute('aria-pressed'), PATIENT)
      .toBe('false')
    await expect
      .poll(() => page.locator('[aria-label="Today only"]').getAttribute('aria-pressed'), PATIENT)
      .toBe('true')
    await expect.poll(() => page.locator('.track input').getAttribute('aria-valuetext'), PATIENT).toBe('11:00 New York')
    expect(service().asked.filter((path) => path.includes('by=time'))).toEqual([])
  })
})
