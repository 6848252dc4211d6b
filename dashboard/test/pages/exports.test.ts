import { expect, test } from 'vitest'
import { describePages, PATIENT, saved, shows } from './browser.ts'
import { recorded, refusal } from './service.ts'

describePages('exports', ({ service, open }) => {
  test('a panel gives its figures as a file', async () => {
    const { page } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    const { name, bytes } = await saved(page, '.rail', 'Figures, CSV')
    expect(name).toBe('SPY-levels.csv')
    const [comment, columns, ...rows] = bytes.toString().split('\n')
    expect(comment).toMatch(/^# Levels, SPY, 2026-11-20T\d\d:\d\d:\d\d New York, source synthetic$/)
    expect(columns).toMatch(/^level,price \(USD\)/)
    expect(rows.join()).toContain(String(recorded('levels').levels.gamma_flip))
  })

  test('levels are text for a charting program, on the chart of another instrument, and never of another symbol', async () => {
    service().rules.unshift(({ pathname, searchParams }) => {
      if (!pathname.startsWith('/v1/exposure/chart-levels/')) return undefined
      if (pathname.endsWith('QQQ')) return refusal(503, 'data_loading')
      const as = searchParams.get('as') ?? 'SPY'
      if (as === 'KO') return refusal(400, 'invalid_as', { message: 'as must be one of SPX, SPY, ES' })
      return { body: `${searchParams.get('format')} levels on ${as}` }
    })
    const { page } = await open('#/overview/SPY', { refusals: true })
    await shows(page, '.rail', /Call wall/)
    expect(service().asked.filter((path) => path.includes('chart-levels'))).toEqual([])
    await page.locator('.chart-tools summary', { hasText: 'Export' }).click()
    const levels = () => page.locator('.export-levels textarea').inputValue()
    await expect.poll(levels, PATIENT).toContain('pine6 levels on SPY')
    await page.locator('.export-levels select').selectOption({ label: 'Sierra Chart' })
    await page.locator('.export-levels input').fill('es')
    await expect.poll(levels, PATIENT).toContain('sierra levels on ES')
    await page.locator('.export-levels input').fill('KO')
    await page.locator('.export-levels input').press('Enter')
    await shows(page, '.export-levels', 'As must be one of SPX, SPY, ES.')
    await page.locator('.export-levels input').fill('')
    await page.locator('.export-levels input').press('Enter')
    await expect.poll(levels, PATIENT).toContain('sierra levels on SPY')
    await page.evaluate(() => {
      location.hash = '#/overview/QQQ'
    })
    await shows(page, '.export-levels', /Loading/)
    expect(await page.locator('.export-levels textarea').count()).toBe(0)
  })

  test('a picture of a stage that waits for its first answer has axes and no figure on them', async () => {
    const { page } = await open()
    await page.route('**/v1/**', () => {}) // never answered
    await page.goto(`${service().url}/#/overview/SPY`)
    await expect.poll(() => page.locator('.stage canvas').count(), PATIENT).toBe(2)
    const { bytes } = await saved(page, '.stage', 'Picture, SVG')
    const image = bytes.toString()
    expect(image).toContain('Gamma by strike')
    expect((image.match(/<path /g) ?? []).length).toBeGreaterThan(1)
    // Only the line of zero gamma may have a label, since it is known.
    expect(image).not.toMatch(/>(?!0<)-?[\d.]+<|>\d+:\d\d</)
  })

  test('a picture as SVG holds the charts as shapes and words, and says what it is of', async () => {
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await page.waitForLoadState('networkidle')
    const before = await page
      .locator('.stage .time-chart canvas >> nth=0')
      .evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
    const { name, bytes } = await saved(page, '.stage', 'Picture, SVG')
    expect(name).toBe('SPY-gamma-by-strike.svg')
    const found = await page.evaluate((text) => {
      const image = new DOMParser().parseFromString(text, 'image/svg+xml')
      const count = (selector: string) => image.querySelectorAll(selector).length
      return {
        root: image.documentElement.nodeName,
        words: [...image.querySelectorAll('text')].map((each) => each.textContent).join('|'),
        marks: count('path[fill="none"]'),
        clips: count('clipPath'),
        images: count('image')
      }
    }, bytes.toString())
    expect(found.root).toBe('svg')
    for (const words of ['Gamma by strike', 'SPY, 2026-11-20T', 'source synthetic', 'Synthetic', '19 Nov', 'Call wall'])
      expect(found.words).toContain(words)
    expect(found.words).toContain(String(recorded('levels').levels.call_wall))
    expect(found.marks).toBeGreaterThan(10)
    expect(found.clips).toBeGreaterThan(0)
    expect(found.images).toBe(1) // the gamma map
    expect(bytes.toString()).not.toMatch(/rgba\(|NaN|undefined/)
    const after = await page
      .locator('.stage .time-chart canvas >> nth=0')
      .evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
    expect(after).toBe(before)
    expect(faults).toEqual([])
  })

  test('charts under one another are one picture, each under a line that says what it is', async () => {
    const { page, faults } = await open('#/zero-dte/SPY')
    await expect.poll(() => page.locator('.decay canvas').count(), PATIENT).toBe(2)
    await page.waitForLoadState('networkidle')
    const box = (await page.locator('.decay .tracks').boundingBox())!
    const { bytes } = await saved(page, '.decay', 'Picture, SVG')
    const found = await page.evaluate((text) => {
      const image = new DOMParser().parseFromString(text, 'image/svg+xml')
      const lines = [...image.querySelectorAll('text')].filter((each) => each.textContent?.includes('session'))
      return {
        lines: lines.map((each) => each.textContent),
        heights: lines.map((each) => Number(each.getAttribute('y'))),
        height: Number(image.documentElement.getAttribute('height')),
        charts: [...image.querySelectorAll('svg > g > g[transform]')].map(
          (each) => each.querySelectorAll('path').length
        )
      }
    }, bytes.toString())
    expect(found.lines).toEqual([
      'Theta per hour of options that expire today, through the session',
      'Net charm to the close of options that expire today, through the session'
    ])
    expect(found.charts).toHaveLength(2)
    for (const paths of found.charts) expect(paths).toBeGreaterThan(3)
    expect(found.heights[1]! - found.heights[0]!).toBeGreaterThan(box.height / 3)
    expect(Math.abs(found.height - (box.height + 34 + 2 * 18))).toBeLessThanOrEqual(2)
    const png = await saved(page, '.decay', 'Picture, PNG')
    expect(Math.abs(png.bytes.readUInt32BE(20) - 2 * found.height)).toBeLessThanOrEqual(2)
    expect(faults).toEqual([])
  })

  test('a picture as PNG has two pixels for each of the page', async () => {
    const { page, faults } = await open('#/volatility/SPY')
    await shows(page, '.side', /At the money/)
    const { name, bytes } = await saved(page, '.panel.surface', 'Picture, PNG')
    // Measured last: the panel finds its height when all that stands beside it has come.
    const box = (await page.locator('.panel.surface canvas').boundingBox())!
    expect(name).toBe('SPY-surface.png')
    // In a PNG header, width and height stand at bytes 16 and 20.
    expect(Math.abs(bytes.readUInt32BE(16) - 2 * box.width)).toBeLessThanOrEqual(2)
    expect(Math.abs(bytes.readUInt32BE(20) - 2 * (box.height + 34))).toBeLessThanOrEqual(2)
    expect(faults).toEqual([])
  })

  test('paper is light, without controls, and says where it came from', async () => {
    const { page, faults } = await open('#/overview/SPY?at=2026-11-20T11:00:00')
    await shows(page, '.rail', /Call wall/)
    await page.emulateMedia({ media: 'print' })
    await shows(
      page,
      '.print-footer',
      /#\/overview\/SPY\?at=2026-11-20T11:00:00 · .* New York · source synthetic, made-up/
    )
    // A browser reports a change of medium when it draws next.
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme']), PATIENT).toBe('light')
    for (const hidden of ['.timeline', '.head nav', '.stage .menu', '.tools'])
      await expect.poll(() => page.locator(hidden).first().isVisible(), PATIENT).toBe(false)
    const height = await page
      .locator('.stage .time-chart canvas >> nth=0')
      .evaluate((canvas) => canvas.getBoundingClientRect().height)
    expect(height).toBeGreaterThan(300)
    await page.emulateMedia({ media: 'screen' })
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme']), PATIENT).toBe('dark')
    await expect.poll(() => page.locator('.print-footer').isVisible(), PATIENT).toBe(false)
    expect(faults).toEqual([])
  })

  test('paper is light by the time a browser takes its picture, whenever it tells of the paper', async () => {
    const { page, faults } = await open('#/overview/SPY?at=2026-11-20T11:00:00')
    await shows(page, '.rail', /Call wall/)
    const themes = await page.evaluate(() => {
      const seen: (string | undefined)[] = []
      const noteTheme = () => seen.push(document.documentElement.dataset['theme'])
      noteTheme()
      for (const name of ['beforeprint', 'afterprint']) {
        dispatchEvent(new Event(name))
        noteTheme()
      }
      return seen
    })
    expect(themes).toEqual(['dark', 'light', 'dark'])
    expect(faults).toEqual([])
  })
})
