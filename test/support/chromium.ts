import { existsSync } from 'node:fs'

const places = [
  process.env['GAMMAWALL_CHROMIUM'],
  '/usr/bin/chromium-headless-shell', // draws the same pages in two thirds of the time: it has no windows to draw
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
]

/** The Chromium of this system, undefined where there is none. */
export const chromiumPath = places.find((path) => path !== undefined && existsSync(path))

/** Explains why tests that need Chromium are skipped. */
export const noChromium = 'there is no Chromium. Install one, or name it in GAMMAWALL_CHROMIUM.'
