import { expect, test } from 'vitest'
import type { FlowPart, ViewName, ViewRequest } from '../../../src/flow/tape-views.ts'
import type { Tapes } from '../../../src/tape/tape-port.ts'
import { ticker } from '../../live/standing-market.ts'
import { tapesAt } from '../../support/plain-tapes.ts'
import { scriptedSource, wednesday } from '../../support/scripted-source.ts'
import { service } from '../../support/service.ts'

const url = '/v1/flow/options/SPY/summary'

/** A service whose tapes hold a part of the session until the test says that they hold all of it. */
function loading() {
  const whole = tapesAt(wednesday)
  const state = { part: { since: wednesday - 60_000, share: 0.0319 } as FlowPart | undefined }
  const tapes: Tapes = {
    ...whole,
    async view<Name extends ViewName>(request: ViewRequest<Name>, mayBePart = false) {
      const { part } = state
      const view = await whole.view(request)
      return view && { ...view, version: part === undefined ? 2 : 1, ...(mayBePart && part && { part }) }
    },
    progress: async () => ({ share: 0.5, readTo: wednesday })
  }
  return { state, running: service({ market: { source: scriptedSource(), tapes } }) }
}

test('an answer from a part of the session says so until all is there', async () => {
  const { state, running } = loading()
  const key = running.keyOn('alpha')
  const partial = async () => {
    const { statusCode, headers } = await running.ask(url, key)
    return [statusCode, headers['x-flow-partial']]
  }
  const since = new Date(wednesday - 60_000).toISOString()
  for (let k = 0; k < 3; k++) expect(await partial()).toEqual([200, `session=0.031, since=${since}`])
  state.part = undefined
  running.clock.pass(1000)
  expect(await partial()).toEqual([200, undefined])
  await running.close()
})

test('a part is for requests that show what it covers: others meet data_loading with its progress', async () => {
  const { state, running } = loading()
  await running.ask(url, running.keyOn('alpha'))
  const endpoint = running.http.endpoints.find(({ path }) => path === url.replace('SPY', '{symbol}'))!
  const request = { source: running.live, maxAge: 0, keyless: false }
  const streamed = () => running.answers.load(endpoint, { symbol: ticker('SPY') }, request, [])
  const detail = { loading: 'prints of SPY', share: 0.5, read_to: new Date(wednesday).toISOString() }
  await expect(streamed()).rejects.toMatchObject({ code: 'data_loading', status: 503, detail })
  state.part = undefined
  running.clock.pass(1000)
  expect((await streamed()).answer.flowPart).toBeUndefined()
  await running.close()
})
