import { expect, test } from 'vitest'
import { isOfOwnOrigin } from '../../../src/server/sessions/own-origin.ts'

const host = '127.0.0.1:8080'

test.each([
  { host },
  { host, 'sec-fetch-site': 'same-origin' },
  { host, 'sec-fetch-site': 'none' },
  { host, origin: 'http://127.0.0.1:8080' },
  { host, origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-origin' },
  { host: 'dash.example', origin: 'https://dash.example' },
  { host: 'dash.example:443', origin: 'https://dash.example' },
  { host: 'DASH.example', origin: 'https://dash.example' },
  { host: '[::1]:8080', origin: 'http://[::1]:8080' }
])('%j is of this origin, or of no page', (headers) => {
  expect(isOfOwnOrigin(headers)).toBe(true)
})

test.each([
  { host, 'sec-fetch-site': 'cross-site' },
  { host, 'sec-fetch-site': 'same-site' },
  { host, 'sec-fetch-site': 'same-origin, cross-site' },
  { host, origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'cross-site' },
  { host, origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' },
  { host, origin: 'http://127.0.0.1:3000' },
  { host, origin: 'http://127.0.0.1' },
  { host, origin: 'http://localhost:8080' },
  { host, origin: 'http://127.0.0.1:8080.evil.example' },
  { host, origin: 'http://127.0.0.1:8080, http://evil.example' },
  { host, origin: 'null' },
  { host, origin: '' },
  { origin: 'http://127.0.0.1:8080' },
  { host: 'dash.example:80', origin: 'https://dash.example' }
])('%j is of another', (headers) => {
  expect(isOfOwnOrigin(headers)).toBe(false)
})
