import { test } from 'vitest'
import { endpointAt, textOf } from '../support/asking.ts'
import { expectAsReviewed, printed } from '../support/golden.ts'
import { handMade } from '../support/markets.ts'

// Whole answers over one small chain, reviewed as a diff.

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

test.each(Object.entries(answers))('%s answers as it did when it was last reviewed', (name, path) => {
  const endpoint = endpointAt(path)
  const result = textOf(endpoint, market, {}, endpoint.varies)
  expectAsReviewed(name, printed('text' in result ? result.text : 'null'))
})
