import { expect, test } from 'vitest'
import { readParameters } from '../../src/api/params.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import type { IsoDate } from '../../src/market/units.ts'

test.each(
  endpoints.flatMap(({ path, params }) =>
    Object.entries(params).map(([name, parameter]) => [`${path} ${name}`, name, parameter] as const)
  )
)('%s has an example that reads', (_, name, parameter) => {
  const today = '2026-07-29' as IsoDate
  const sent = { [name]: parameter.example }
  const values = readParameters({ [name]: parameter }, sent, sent, { today })
  expect(values[name]).toBeDefined()
})

test.each(
  endpoints.map((endpoint) => [endpoint.path, endpoint] as const)
)('%s takes the examples of all its parameters together', (_, { params, check }) => {
  const sent = Object.fromEntries(Object.entries(params).map(([name, { example }]) => [name, example]))
  const values = readParameters(params, sent, sent, { today: '2026-07-29' as IsoDate })
  expect(() => check(values as never)).not.toThrow()
})
