import { readFileSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import { chromiumPath, noChromium } from '../../../test/support/chromium.ts'
import { type FakeService, startService } from './service.ts'

if (chromiumPath === undefined) console.log(`skipped: the pages of the dashboard: ${noChromium}`)

/** Turns off what a browser does by itself: updates and other protocols. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync'
]

export interface Opened {
  readonly page: Page
  /** Script errors, violations of the content policy, and requests to other origins. */
  readonly faults: readonly string[]
  /** Requests under way, and when one last began or ended, in the milliseconds of `performance.now()`. */
  readonly requests: { readonly underWay: number; readonly changedAt: number }
}

export interface Options {
  readonly theme?: 'dark' | 'light'
  readonly width?: number
  readonly height?: number
  /** Whether the reader's colours replace those of the page. */
  readonly forcedColors?: true
  /** Whether the page may have its worker, which keeps files and so takes time that most tests do not need. */
  readonly worker?: true
  /** Allows refusals that the test provokes, which the browser logs as errors. */
  readonly refusals?: true
  /** Goes on in the page that the test before left, as readers go from screen to screen. A test that fails leaves none. */
  readonly goesOn?: true
}

interface Bench {
  readonly service: () => FakeService
  /** Opens an address in a new page; without one, an empty page. */
  open(address?: string, options?: Options): Promise<Opened>
}

export const hasBrowser = chromiumPath !== undefined

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath!, headless: true, args: QUIET })
}

let launched: Promise<Browser> | undefined

/** One browser for all test files of this process; it ends with the process. */
const sharedBrowser = () => (launched ??= startBrowser())

/** Tests in a real browser, skipped without one. */
export function describePages(name: string, tests: (bench: Bench) => void): void {
  describe.skipIf(!hasBrowser)(name, () => {
    let browser: Browser
    let service: FakeService
    let kept: Opened | undefined
    beforeAll(async () => {
      service = await startService()
      browser = await sharedBrowser()
    })
    beforeEach(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50)) // late requests of the previous test arrive by then
      service.asked.length = 0
      service.rules.length = 0
      service.headers.clear()
    })
    // An open page would go on polling.
    const closePages = async (but?: Opened) => {
      const others = browser.contexts().filter((context) => context !== but?.page.context())
      await Promise.all(others.map((context) => context.close()))
    }
    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail') kept = undefined
      await closePages(kept)
    })
    afterAll(async () => {
      await closePages()
      await service?.close()
    })
    tests({
      service: () => service,
      open: async (address, options = {}) => {
        const opened = (options.goesOn && kept) || (await newPage(browser, [service.url], options))
        if (options.goesOn) kept = opened
        if (address !== undefined) await opened.page.goto(`${service.url}/${address}`)
        return opened
      }
    })
  })
}

/** A page that may request these origins only. */
export async function newPage(
  browser: Browser,
  origins: readonly string[],
  { theme = 'dark', width = 1440, height = 900, forcedColors, refusals, worker }: Options = {}
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    forcedColors: forcedColors ? 'active' : 'none',
    acceptDownloads: true,
    serviceWorkers: worker ? 'allow' : 'block'
  })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    // These tests have no stream, so its ticket is always refused. Data that is being loaded is asked for again.
    const { url } = message.location()
    const isRefusal = message.text().startsWith('Failed to load resource')
    const isExpected = refusals || url.endsWith('/ticket') || message.text().includes('status of 503')
    if (message.type() === 'error' && !(isRefusal && isExpected))
      faults.push(isRefusal ? `${message.text()} (${url})` : message.text())
  })
  const requests = { underWay: 0, changedAt: performance.now() }
  const change = (by: number) => {
    requests.underWay += by
    requests.changedAt = performance.now()
  }
  page.on('requestfinished', () => change(-1))
  page.on('requestfailed', () => change(-1))
  page.on('request', (request) => {
    change(1)
    const url = request.url()
    if (!origins.some((origin) => url.startsWith(origin)) && !/^(data|blob):/.test(url)) faults.push(`asked ${url}`)
  })
  return { page, faults, requests }
}

/** Milliseconds without a request under way after which a page has what it wanted; Playwright waits as long. */
const QUIET_FOR = 500

/** Waits until a page has got all that it asked for. Unlike the `networkidle` of Playwright, also in a page that goes on. */
export async function settled({ requests }: Opened): Promise<void> {
  const isQuiet = () => requests.underWay === 0 && performance.now() - requests.changedAt >= QUIET_FOR
  await expect.poll(isQuiet, PATIENT).toBe(true)
}

/** Enough for a busy machine. */
export const PATIENT = { timeout: 60_000 }

/** The text of a region without line breaks. */
export async function textOf(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).innerText()).replace(/\s+/g, ' ')
}

/** Name and bytes of a file that the menu of a panel saves. */
export async function saved(page: Page, panel: string, what: string) {
  await page.locator(`${panel} .menu summary`).first().click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.locator(panel).getByText(what).locator('visible=true').first().click()
  ])
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
}

/** Waits until a region is in sight with a text. A dialog that is not open yet has its text already. */
export async function shows(page: Page, selector: string, text: string | RegExp): Promise<void> {
  const seen = async () => ((await page.locator(selector).isVisible()) ? textOf(page, selector) : '')
  await expect.poll(seen, PATIENT).toMatch(text instanceof RegExp ? text : exactly(text))
}

const exactly = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+'))

/** Waits until the page has the address, and its head names the screen of it: the screen is drawn after the address. */
export async function leadsTo(page: Page, address: string | RegExp): Promise<void> {
  await expect.poll(() => page.url(), PATIENT).toMatch(address instanceof RegExp ? address : exactly(address))
  const namesAnother = () => {
    const named = document.querySelector<HTMLAnchorElement>('.head nav a[aria-current=page]')
    const screenIn = (hash: string) => hash.split(/[/?]/)[1]
    return named !== null && screenIn(named.hash) !== screenIn(location.hash)
  }
  await expect.poll(() => page.evaluate(namesAnother), PATIENT).toBe(false)
}

/** Waits until a request matches all parts. */
export async function asks(service: FakeService, ...parts: readonly RegExp[]): Promise<void> {
  const isAsked = () => service.asked.some((path) => parts.every((part) => part.test(path)))
  await expect.poll(isAsked, PATIENT).toBe(true)
}
