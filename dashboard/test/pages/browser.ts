import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import { chromiumPath, noChromium } from '../../../test/support/chromium.ts'
import { type FakeService, startService } from './service.ts'

if (chromiumPath === undefined) console.log(`skipped: the pages of the dashboard: ${noChromium}`)

/** Nothing that a browser does by itself: no updates, no other protocols. */
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
  /** What should never be there: errors of scripts, violations of the policy, requests to elsewhere. */
  readonly faults: readonly string[]
}

export interface Options {
  readonly theme?: 'dark' | 'light'
  readonly width?: number
  readonly height?: number
  /** Whether the reader's colours stand for those of the page. */
  readonly forcedColors?: true
  /** Refusals that the test provokes: the browser notes each in its console. */
  readonly refusals?: true
}

interface Bench {
  readonly service: () => FakeService
  /** Opens an address in a page of its own; without one, a page that is still empty. */
  open(address?: string, options?: Options): Promise<Opened>
}

/** Whether pages can be tested at all. */
export const hasBrowser = chromiumPath !== undefined

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath!, headless: true, args: QUIET })
}

let launched: Promise<Browser> | undefined

/** The browser that the test files of this process share; it ends with the process. */
const sharedBrowser = () => (launched ??= startBrowser())

/** Tests of pages in a real browser, skipped where there is none. */
export function describePages(name: string, tests: (bench: Bench) => void): void {
  describe.skipIf(!hasBrowser)(name, () => {
    let browser: Browser
    let service: FakeService
    beforeAll(async () => {
      service = await startService()
      browser = await sharedBrowser()
    })
    beforeEach(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50)) // what they had sent is read by then
      service.asked.length = 0
      service.rules.length = 0
      service.headers.clear()
    })
    // A page that was left open would go on asking.
    afterEach(async () => {
      await Promise.all(browser.contexts().map((context) => context.close()))
    })
    afterAll(async () => {
      await service?.close()
    })
    tests({
      service: () => service,
      open: async (address, options = {}) => {
        const opened = await newPage(browser, [service.url], options)
        if (address !== undefined) await opened.page.goto(`${service.url}/${address}`)
        return opened
      }
    })
  })
}

/** A page that may ask these origins alone. */
export async function newPage(
  browser: Browser,
  origins: readonly string[],
  { theme = 'dark', width = 1440, height = 900, forcedColors, refusals }: Options = {}
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    forcedColors: forcedColors ? 'active' : 'none',
    acceptDownloads: true
  })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    // Without a stream in these tests the ticket is always refused.
    const { url } = message.location()
    const isRefusal = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !(isRefusal && (refusals || url.endsWith('/ticket'))))
      faults.push(isRefusal ? `${message.text()} (${url})` : message.text())
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!origins.some((origin) => url.startsWith(origin)) && !/^(data|blob):/.test(url)) faults.push(`asked ${url}`)
  })
  return { page, faults }
}

/** A busy machine takes its time. */
export const PATIENT = { timeout: 60_000 }

/** The text of a region, as it is read: without the breaks of the page. */
export async function textOf(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).innerText()).replace(/\s+/g, ' ')
}

/** Waits until the region holds a text. */
export async function shows(page: Page, selector: string, text: string | RegExp): Promise<void> {
  await expect.poll(() => textOf(page, selector), PATIENT).toMatch(text instanceof RegExp ? text : exactly(text))
}

const exactly = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+'))

/** Waits until the address of the page is as expected. */
export async function leadsTo(page: Page, address: string | RegExp): Promise<void> {
  await expect.poll(() => page.url(), PATIENT).toMatch(address instanceof RegExp ? address : exactly(address))
}

/** Waits until the service was asked for what these all match. */
export async function asks(service: FakeService, ...parts: readonly RegExp[]): Promise<void> {
  const isAsked = () => service.asked.some((path) => parts.every((part) => part.test(path)))
  await expect.poll(isAsked, PATIENT).toBe(true)
}
