import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { chartFigures } from '../../src/app/chart-figures.ts'
import { session } from '../../src/market/calendar.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { mountUdf } from '../../src/server/udf/mount-udf.ts'
import { alertsOver } from '../support/alerts-over.ts'
import { wednesday } from '../support/scripted-source.ts'
import { service } from '../support/service.ts'

const open = session('2026-07-29' as IsoDate)!.open / 1000
const day = 86_400

let host: ReturnType<typeof service>
let alerts: ReturnType<typeof alertsOver>['alerts']
let key: string
beforeEach(() => {
  host = service()
  mountUdf(host.app, { figures: chartFigures, now: () => wednesday })
  ;({ alerts } = alertsOver(host))
  key = host.keyOn('alpha')
})
afterEach(async () => {
  await alerts.stop()
  await host.close()
})

const marks = async (query: string, with_: string | undefined = key, path = 'marks') => {
  const answer = await host.ask(`/udf/${path}?${query}`, with_)
  return { status: answer.statusCode, body: answer.json() }
}
const asked = (symbol: string, resolution = '5') =>
  `symbol=${symbol}&resolution=${resolution}&from=${open - day}&to=${open + day}`

/** Makes a rule that is true at once, and waits until it has fired. */
async function fire(symbol: string): Promise<{ readonly id: string; readonly as_of: string; readonly text: string }> {
  const rule = { symbol, metric: 'stockquote.current.mid', condition: 'above', value: 1, note: `${symbol} is above 1` }
  const made = await host.ask('/v1/alerts', key, { method: 'POST', payload: rule })
  expect(made.statusCode, made.body).toBe(200)
  const { id } = made.json()
  const events = async () => (await host.ask(`/v1/alerts/events?alert=${id}`, key)).json().events
  await expect.poll(async () => (await events()).length).toBe(1)
  return (await events())[0]
}

describe('marks of a chart', () => {
  test('are the alerts that fired on its symbol, in the bar of the market’s moment', async () => {
    const [event] = [await fire('AAPL'), await fire('KO')]
    const { status, body } = await marks(asked('AAPL'))
    expect(status).toBe(200)
    const fired = Date.parse(event.as_of) / 1000
    expect(body).toEqual({
      id: [event.id],
      time: [open + 300 * Math.floor((fired - open) / 300)],
      color: ['yellow'],
      text: [event.text],
      label: ['A'],
      labelFontColor: ['black'],
      minSize: [14]
    })
    expect((await marks(asked('AAPL', '1D'))).body.time).toEqual([Date.parse('2026-07-29') / 1000])
    expect((await marks(asked('AAPL%3Anet_gex'))).body.id).toEqual([event.id])
  })

  test('leave out what fired before or after the period, and what is of another user', async () => {
    const { as_of } = await fire('AAPL')
    const fired = Date.parse(as_of) / 1000
    const within = (from: number, to: number) => marks(`symbol=AAPL&resolution=5&from=${from}&to=${to}`)
    expect((await within(fired + 1, fired + day)).body.id).toEqual([])
    expect((await within(fired - day, fired - 1)).body.id).toEqual([])
    expect((await within(fired, fired)).body.id).toHaveLength(1)
    expect((await marks(asked('AAPL'), host.keyOn('alpha'))).body.id).toEqual([])
  })

  test('need a key; one in the address, which alerts do not take, shows none', async () => {
    await fire('AAPL')
    expect((await marks(asked('AAPL'), '')).status).toBe(401)
    const { status, body } = await marks(`${asked('AAPL')}&apiKey=${key}`, '')
    expect([status, body.id]).toEqual([200, []])
  })

  test('of the time axis are the reports of the company, each in its bar', async () => {
    const { history } = (await host.ask('/v1/earnings/history/AAPL', key)).json()
    const dates: string[] = history.map(({ date }: { date: string }) => date)
    expect(dates.length).toBeGreaterThan(0)
    const [newest] = dates.sort().reverse()
    const at = Date.parse(newest!) / 1000
    const { body } = await marks(`symbol=AAPL&resolution=1D&from=${at}&to=${at + 1}`, key, 'timescale_marks')
    expect(body).toEqual([
      { id: `report ${newest}`, time: at, color: 'blue', label: 'E', tooltip: [`Report of ${newest}`] }
    ])
    const ofAll = await marks(`symbol=AAPL&resolution=1D&from=0&to=${at + 1}`, key, 'timescale_marks')
    expect(ofAll.body.map(({ time }: { time: number }) => time).sort()).toEqual(
      dates.map((date) => Date.parse(date) / 1000).sort()
    )
    expect((await marks(asked('SPY'), key, 'timescale_marks')).body).toEqual([])
    expect((await marks(asked('AAPL'), host.keyOn('free'), 'timescale_marks')).body).toEqual([])
  })
})
