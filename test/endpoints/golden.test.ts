import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { endpointAt, textOf } from '../support/asking.ts'
import { handMade } from '../support/markets.ts'

// Whole answers over one small chain, reviewed as a diff. GAMMAWALL_REWRITE_GOLDEN=1 writes them anew: do that when a
// figure is meant to change, and say in the changelog which one and why.

const folder = resolve(import.meta.dirname, '../golden')
const rewrite = process.env.GAMMAWALL_REWRITE_GOLDEN === '1'
const market = handMade('several expirations on a day of expiry')

const answers = {
  gex: '/v1/exposure/gex/{symbol}',
  summary: '/v1/exposure/summary/{symbol}',
  levels: '/v1/exposure/levels/{symbol}',
  'zero-dte': '/v1/exposure/zero-dte/{symbol}',
  'max-pain': '/v1/maxpain/{symbol}',
  narrative: '/v1/exposure/narrative/{symbol}',
  sheet: '/v1/exposure/sheet/{symbol}'
}

/** Floats at nine digits: what differs beyond them is the arithmetic of a processor. */
const cut = (_: string, value: unknown) =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(9)) : value

/** One line for each object of a list, so that a diff shows the row that moved. */
function printed(text: string): string {
  return JSON.stringify(JSON.parse(text, cut), undefined, 1)
    .replaceAll(
      /\{\n\s+("(?:strike|expiration)"[^{}]*)\}/g,
      (_, fields: string) => `{ ${fields.trim().replaceAll(/\n\s+/g, ' ')} }`
    )
    .concat('\n')
}

test.each(Object.entries(answers))('%s answers as it did when it was last reviewed', (name, path) => {
  const said = textOf(endpointAt(path), market)
  const text = printed('text' in said ? said.text : 'null')
  const file = resolve(folder, `${name}.json`)
  if (rewrite) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, text)
  }
  expect(existsSync(file)).toBe(true)
  expect(text).toBe(readFileSync(file, 'utf8'))
})
