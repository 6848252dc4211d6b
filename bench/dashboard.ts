import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { levelContrasts } from '../dashboard/test/level-contrast.ts'
import { chromiumPath, noChromium } from '../test/support/chromium.ts'
import { type Figure, median, report } from './support/figure.ts'

// The dashboard as its reader has it: how soon a cold page shows its first figure and its candles, and with how many
// requests; whether it moves smoothly while 500 figures stream, and how soon a step of the time slider shows new ones; what a
// frame of the chart costs while it is moved, and what a day of the page leaves in memory. A made-up market that runs again
// at its own pace, one recorded session, a browser without a screen. Script of a frame is CPU time of the main thread, which
// another load of the machine hardly changes; the waits are wall time.
const LOADS = 5
/** Steps of five minutes from 10:00; a session that closes early ends at 13:00. */
const STEPS = 36
const STREAMED = 450
const SECONDS = 10
const FRAMES = 60
/** Lines through time besides the prices. */
const SERIES = 8
/** Minutes of eight hours. */
const MINUTES = 480

const program = resolve('scripts/gammawall.mjs')
interface Running {
  readonly child: ChildProcess
  readonly base: string
  readonly key: string
}

/** Starts the service and waits for its banner. */
async function start(data: string): Promise<Running> {
  const flags = [
    '--data',
    data,
    '--port',
    '0',
    '--clock',
    'demo',
    '--universe',
    'SPY',
    // The session that was made for the slider stays the newest one.
    '--record',
    'off',
    '--drain',
    '0',
    '--log-level',
    'silent'
  ]
  const child = spawn(process.execPath, [program, 'serve', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    child.once('close', () => reject(new Error(`the service ended at its start: ${printed}`)))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (/^ {2}curl /m.test(printed)) resolve()
    })
  })
  const base = /^ {2}REST +(\S+)$/m.exec(printed)![1]!
  return { child, base, key: /^ {4}enterprise +(\S+)$/m.exec(printed)![1]! }
}

/** A page of a new browser profile that is signed in: nothing is kept of earlier ones. */
async function signedIn(browser: Browser, { base, key }: Running): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.request.post(`${base}/session`, { data: { key } })
  return context.newPage()
}

/** Waits until an expression is true in the page, whose policy lets no text be run by itself. */
async function until(page: Page, expression: string): Promise<void> {
  for (const deadline = performance.now() + 180_000; performance.now() < deadline; await page.waitForTimeout(50))
    if (await page.evaluate(expression)) return
  throw new Error(`waited three minutes in vain for ${expression}`)
}

/** Milliseconds from the navigation to the first paint and to the first figure of the regime, and what was loaded. */
async function coldLoad(browser: Browser, running: Running) {
  const page = await signedIn(browser, running)
  let requests = 0
  page.on('request', (request) => {
    if (/\/v1\//.test(request.url())) requests++
  })
  await page.addInitScript(`
    new MutationObserver((_, watch) => {
      const shown = document.querySelector('.regime dd')
      if (shown === null || !/[0-9]/.test(shown.textContent)) return
      window.firstFigure = performance.now()
      watch.disconnect()
    }).observe(document, { subtree: true, childList: true, characterData: true })`)
  await page.goto(`${running.base}/#/overview/SPY`)
  await until(page, 'window.firstFigure !== undefined')
  const hasCandles = `(() => {
    const chart = document.querySelector('.time-chart')
    const isDrawn = chart?.layers?.().layers.some(({ id }) => id === 'candles')
    if (isDrawn) window.candles ??= performance.now()
    return window.candles !== undefined
  })()`
  await until(page, hasCandles)
  await page.waitForLoadState('networkidle')
  const found = (await page.evaluate(`({
    figure: window.firstFigure,
    candles: window.candles,
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    kilobytes: performance.getEntriesByType('resource')
      .filter(({ name }) => /assets/.test(name))
      .reduce((bytes, { transferSize }) => bytes + transferSize, 0) / 1000
  })`)) as { readonly figure: number; readonly candles: number; readonly paint: number; readonly kilobytes: number }
  await page.context().close()
  return { ...found, requests }
}

/** An answer of so many bars of a minute that wander, with levels beside them. */
function manyBars(count: number): object {
  let state = 1
  const random = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
  const perSession = 390
  const sessions = Math.ceil(count / perSession)
  const t0 = Date.parse('2026-11-20T14:30Z') / 1000 - 86_400 * sessions
  const dt = Array.from({ length: count }, (_, i) => (i === 0 ? 0 : i % perSession === 0 ? 86_400 - 389 * 60 : 60))
  let price = 600
  const c = dt.map(() => Number((price += 0.4 * (random() - 0.5)).toFixed(2)))
  const o = c.map((close, i) => c[i - 1] ?? close)
  const names = ['call_wall', 'put_wall', 'gamma_flip', 'zero_dte.magnet', 'zero_dte.call_wall', 'zero_dte.put_wall']
  const fields = [...names, 'max_pain', 'net_gex', 'atm_iv', 'expected_move_1d'].slice(0, SERIES + 2)
  return {
    symbol: 'SPY',
    as_of: new Date(1000 * (t0 + dt.reduce((sum, each) => sum + each, 60))).toISOString(),
    every: '1m',
    ...{ t0, dt, o, c },
    h: c.map((close, i) => Math.max(close, o[i]!) + 0.05),
    l: c.map((close, i) => Math.min(close, o[i]!) - 0.05),
    v: c.map(() => Math.floor(1000 * random())),
    volume_of: 'shares',
    made_of: [],
    columns: Object.fromEntries(
      fields.map((field, k) => [field, c.map((close) => Math.round(close / 5) * 5 + 2 * k - 8)])
    ),
    recorded: [[t0, t0 + 86_400 * sessions, 'minutes']],
    incomplete: []
  }
}

/** Milliseconds of script a frame while a chart of so many bars is moved, and a step of its crosshair. */
async function moving(browser: Browser, running: Running, count: number) {
  const page = await signedIn(browser, running)
  const answer = JSON.stringify(manyBars(count))
  await page.routeWebSocket(/\/ws/, () => {}) // new prices would draw the picture again
  await page.route(/\/v1\/bars\/SPY/, (route) => route.fulfill({ contentType: 'application/json', body: answer }))
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' })
  await session.send('Performance.enable')
  const script = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * metrics.find(({ name }) => name === 'ScriptDuration')!.value
  }
  await page.goto(`${running.base}/#/overview/SPY?range=1d&every=1m`)
  await until(page, `document.querySelector('.time-chart')?.layers?.().layers.some(({ id }) => id === 'candles')`)
  await page.waitForTimeout(3000)
  const perFrame = async (act: string) => {
    const before = await script()
    await page.evaluate(`new Promise((done) => {
      const chart = document.querySelector('.time-chart')
      const { left, top, width, height } = chart.getBoundingClientRect()
      let frame = 0
      const step = () => {
        if (frame++ === ${FRAMES}) return done()
        ${act}
        requestAnimationFrame(step)
      }
      requestAnimationFrame(step)
    })`)
    return ((await script()) - before) / FRAMES
  }
  const wheel = `const way = frame % 20 < 10 ? -60 : 60
    chart.dispatchEvent(new WheelEvent('wheel',
      { deltaX: way, deltaY: 0, clientX: left + width / 3, clientY: top + height / 3, bubbles: true, cancelable: true }))`
  const draws = () => page.evaluate(`document.querySelector('.time-chart').layers().draws`) as Promise<number>
  const point = `chart.dispatchEvent(new PointerEvent('pointermove',
    { pointerType: 'mouse', clientX: left + 40 + 6 * frame, clientY: top + height / 3, bubbles: true }))`
  await perFrame(wheel) // the first frames are compiled
  const pan = await perFrame(wheel)
  await page.waitForTimeout(10_000) // earlier bars are asked for, read and drawn
  await perFrame(point)
  const drawn = await draws()
  const cross = await perFrame(point)
  const redrawn = (await draws()) - drawn
  await page.context().close()
  return { pan, cross, redrawn }
}

/** Megabytes that eight hours of the live overview leave in the heap, minute by minute of a clock that runs ahead. */
async function remembering(browser: Browser, running: Running): Promise<number> {
  const page = await signedIn(browser, running)
  await page.clock.install()
  const session = await page.context().newCDPSession(page)
  await page.goto(`${running.base}/#/overview/SPY?range=1d&every=1m`)
  await until(page, `/[0-9]/.test(document.querySelector('.levels')?.textContent ?? '')`)
  const pass = async (minutes: number) => {
    for (let k = 0; k < minutes; k++) {
      await page.clock.fastForward(60_000)
      if (k % 10 === 0) await page.waitForLoadState('networkidle')
    }
  }
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6
  }
  await pass(30)
  const before = await heap()
  await pass(MINUTES)
  const after = await heap()
  await page.context().close()
  return after - before
}

/** Frames a second of the live overview while so many other figures stream into the same page, and their updates. */
async function streaming(browser: Browser, running: Running) {
  const page = await signedIn(browser, running)
  await page.goto(`${running.base}/#/overview/SPY`)
  await until(page, `/[0-9]/.test(document.querySelector('.levels')?.textContent ?? '')`)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  await page.evaluate(`(async () => {
    const metrics = []
    for (let n = 1; n <= 4; n++) {
      const { metrics: some } = await (await fetch('/v1/stream/catalog?page=' + n)).json()
      metrics.push(...some.filter(({ cost, selectors, value_type: type }) =>
        cost === 1 && selectors.length === 0 && type === 'number').map(({ id }) => id))
    }
    const box = document.createElement('div')
    box.style.cssText = 'position: fixed; inset: auto 0 0 0; height: 120px; overflow: hidden; font-size: 9px'
    document.body.append(box)
    const texts = new Map()
    window.updates = 0
    const { ticket } = await (await fetch('/v1/stream/ticket', { method: 'POST' })).json()
    const socket = new WebSocket(location.origin.replace('http', 'ws') + '/ws?ticket=' + ticket)
    socket.onmessage = ({ data }) => {
      const frames = [JSON.parse(data)].flat().flatMap((frame) => frame.updates ?? [frame])
      for (const { type, sub_id: id, value } of frames) {
        if (value === undefined || id === undefined) continue
        if (!texts.has(id)) {
          const text = document.createElement('span')
          texts.set(id, text)
          box.append(text, ' ')
        }
        window.updates++
        texts.get(id).textContent = String(value)
      }
    }
    await new Promise((open) => { socket.onopen = open })
    const items = metrics.slice(0, ${STREAMED}).map((metric) => ({ symbol: 'SPY', metric }))
    for (let k = 0; k < items.length; k += 100)
      socket.send(JSON.stringify({ action: 'subscribe_many', items: items.slice(k, k + 100) }))
    await new Promise((wait) => setTimeout(wait, 3000))
    window.updates = 0
    window.figures = texts
  })()`)
  const before = await busy()
  const found = (await page.evaluate(`new Promise((done) => {
    const from = performance.now()
    let frames = 0
    const frame = () => {
      frames++
      const seconds = (performance.now() - from) / 1000
      if (seconds < ${SECONDS}) requestAnimationFrame(frame)
      else done({ frames: frames / seconds, updates: window.updates / seconds, figures: window.figures.size })
    }
    requestAnimationFrame(frame)
  })`)) as { readonly frames: number; readonly updates: number; readonly figures: number }
  const share = ((await busy()) - before) / SECONDS
  await page.context().close()
  return { ...found, share }
}

/** Milliseconds from each minute of the time slider to its figures. */
async function scrubbing(browser: Browser, running: Running): Promise<number[]> {
  const page = await signedIn(browser, running)
  const { coverage } = (await (
    await page.context().request.get(`${running.base}/replay/v1/tickers?symbol=SPY`)
  ).json()) as { readonly coverage: { readonly last: string } }
  const { last: date } = coverage
  const clock = (k: number) => {
    const minutes = 10 * 60 + 5 * k
    return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`
  }
  await page.goto(`${running.base}/#/overview/SPY?at=${date}T09:45:00`)
  await until(page, `/[0-9]/.test(document.querySelector('.levels')?.textContent ?? '')`)
  await page.waitForTimeout(2000)
  const times: number[] = []
  for (let k = 0; k < STEPS; k++)
    times.push(
      (await page.evaluate(`new Promise((done) => {
        const from = performance.now()
        location.hash = '#/overview/SPY?at=${date}T${clock(k)}'
        const look = () => {
          const isThere = document.querySelector('.state time').textContent.startsWith('${clock(k)}')
          const isStill = document.querySelector('.regime').dataset.state === 'still'
          if (isThere && isStill) done(performance.now() - from)
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      })`)) as number
    )
  await page.context().close()
  return times
}

async function run(): Promise<readonly Figure[]> {
  if (chromiumPath === undefined) {
    console.log(`The dashboard is not measured: ${noChromium}`)
    return []
  }
  const { chromium } = await import('playwright-core')
  const data = mkdtempSync(join(tmpdir(), 'gammawall-bench-'))
  const past = [
    'backfill',
    'synthetic',
    '--data',
    data,
    '--days',
    '1',
    '--symbols',
    'SPY',
    '--every',
    '5m',
    '--tapes',
    'none'
  ]
  await once(spawn(process.execPath, [program, ...past], { stdio: 'ignore' }), 'close')
  const running = await start(data)
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    await coldLoad(browser, running) // the first answers of a service price whole chains
    const loads = []
    for (let k = 0; k < LOADS; k++) loads.push(await coldLoad(browser, running))
    const steps = await scrubbing(browser, running)
    const { frames, updates, figures, share } = await streaming(browser, running)
    const [some, many] = [await moving(browser, running, 2000), await moving(browser, running, 100_000)]
    const kept = await remembering(browser, running)
    const [weakest] = levelContrasts().sort((a, b) => a.contrast - b.contrast)
    return [
      { name: 'scripts and styles of the first load, compressed', value: loads[0]!.kilobytes, unit: 'KB' },
      { name: 'first paint', value: median(loads.map(({ paint }) => paint)), unit: 'ms', atMost: 1000 },
      { name: 'first figure', value: median(loads.map(({ figure }) => figure)), unit: 'ms' },
      { name: 'candles on the screen', value: median(loads.map(({ candles }) => candles)), unit: 'ms', atMost: 600 },
      { name: 'requests of a cold overview', value: median(loads.map(({ requests }) => requests)), unit: '' },
      { name: 'step of the time slider to new figures', value: median(steps), unit: 'ms', atMost: 150 },
      { name: `frames with ${figures} figures streaming beside the overview`, value: frames, unit: '/s', atLeast: 55 },
      { name: 'updates meanwhile', value: updates, unit: '/s' },
      { name: 'main thread meanwhile', value: share * 100, unit: '%' },
      { name: 'script a frame, 2,000 bars moved with 8 series and map', value: some.pan, unit: 'ms CPU', atMost: 5 },
      { name: 'script a frame, 100,000 bars moved with 8 series and map', value: many.pan, unit: 'ms CPU', atMost: 5 },
      { name: 'script a step of the crosshair, 100,000 bars', value: many.cross, unit: 'ms CPU', atMost: 2 },
      { name: 'pictures drawn again by it', value: some.redrawn + many.redrawn, unit: '', atMost: 0 },
      { name: 'heap after eight hours of the live overview', value: kept, unit: 'MB more', atMost: 10 },
      {
        name: `least contrast of a level where the map is strongest (${weakest!.tone}, ${weakest!.theme})`,
        value: weakest!.contrast,
        unit: ': 1',
        atLeast: 3
      }
    ]
  } finally {
    await browser.close()
    running.child.kill()
    await once(running.child, 'close')
    rmSync(data, { recursive: true, force: true, maxRetries: 3 })
  }
}

await report(import.meta.url, run)
