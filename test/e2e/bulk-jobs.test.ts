import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parsedCsv } from '../support/csv.ts'
import { hasEngine } from '../support/engine.ts'
import { eventually, gammawall, type Service, startService, temporaryFolder } from '../support/started-service.ts'

interface Job {
  readonly id: string
  readonly state: string
  readonly groups: { readonly answered: number; readonly total: number }
  readonly parts: readonly { readonly part: number }[]
}

test.skipIf(!hasEngine)(
  'a bulk job goes on after the service was killed, and leaves what one response has',
  async () => {
    const data = temporaryFolder()
    const past = ['--days', '2', '--symbols', 'SPY', '--every', '15m', '--tapes', 'none']
    const { code, stderr } = await gammawall('backfill', 'synthetic', ...past, '--data', data)
    expect(code, stderr).toBe(0)
    const start = () => startService(data, ['--universe', 'SPY', '--record', 'off'])
    const post = (service: Service, path: string, body: object) =>
      service.ask(path, service.keys.alpha, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body)
      })
    let service = await start()
    const request = {
      source: 'answers',
      operation: 'exposure.gex',
      symbols: { list: ['SPY'] },
      moments: { from: '2020-01-01', to: '2040-01-01', every: '15m' },
      rows: 'strikes',
      format: 'csv'
    }
    const created = await post(service, '/v1/bulk/jobs', { request })
    expect(created.status, created.text).toBe(202)
    const { id } = created.json as unknown as Job
    const look = async () => (await service.ask(`/v1/bulk/jobs/${id}`, service.keys.alpha)).json as unknown as Job
    await eventually('some answers', async () => ((await look()).groups.answered > 3 ? true : undefined))
    await service.stop('SIGKILL')
    service = await start()
    const job = await eventually('the job to end', async () => {
      const now = await look()
      return ['waiting', 'running'].includes(now.state) ? undefined : now
    })
    expect(job).toMatchObject({
      state: 'done',
      parts: [{ part: 1 }],
      groups: { answered: job.groups.total, waiting: 0 }
    })
    const { text } = await service.ask(`/v1/bulk/jobs/${id}/parts/1`, service.keys.alpha)
    const moments = [
      ...new Set(
        text
          .trimEnd()
          .split('\n')
          .slice(1)
          .map((line) => line.split(',')[1])
      )
    ]
    expect(moments).toHaveLength(job.groups.total)
    const last = moments.at(-1)!
    const whole = await post(service, '/v1/bulk', request)
    expect(whole.text.slice(0, whole.text.lastIndexOf(`,${last},`) + 1)).toBe(
      text.slice(0, text.lastIndexOf(`,${last},`) + 1)
    )
    const gone = await service.ask(`/v1/bulk/jobs/${id}`, service.keys.alpha, { method: 'DELETE' })
    expect(gone.json).toMatchObject({ state: 'expired', parts: [] })
    await service.stop()
  }
)

test.skipIf(!hasEngine)('recorded rows in bulk are those of the series and of an export', async () => {
  const data = temporaryFolder()
  const past = ['--days', '2', '--symbols', 'SPY', '--every', '1h', '--tapes', 'none']
  const { code, stderr } = await gammawall('backfill', 'synthetic', ...past, '--data', data)
  expect(code, stderr).toBe(0)
  const service = await startService(data, ['--universe', 'SPY', '--record', 'off'])
  const fields = ['net_gex', 'gamma_flip', 'zero_dte.pin_score']
  const plain = `/v1/series/SPY?from=2020-01-01&to=2040-01-01&every=1d&fields=${fields}`
  const { t, columns } = await eventually('the figures', async () => {
    const { status, json } = await service.ask(plain, service.keys.alpha)
    const found = json as unknown as Series
    return status === 200 && found.t.length === 2 && found.incomplete.length === 0 ? found : undefined
  })
  const bulk = async (request: object) => {
    const body = {
      symbols: { list: ['SPY'] },
      moments: { from: '2020-01-01', to: '2040-01-01', every: '1d' },
      ...request
    }
    const headers = { 'content-type': 'application/json' }
    const sent = { method: 'POST', headers, body: JSON.stringify({ ...body, format: 'csv' }) }
    const { status, text } = await service.ask('/v1/bulk', service.keys.alpha, sent)
    expect(status, text).toBe(200)
    return parsedCsv(text)
  }
  const cell = (value: number | null) => (value === null ? '' : String(value))
  const [heading, ...figures] = await bulk({ source: 'series', fields })
  expect(heading).toEqual(['symbol', 'at', 'as_of', ...fields])
  expect(figures).toEqual(t.map((at, k) => ['SPY', at, at, ...fields.map((name) => cell(columns[name][k]))]))

  const [names, ...quotes] = await bulk({ source: 'quotes' })
  expect(new Set(quotes.map(([, at]) => at))).toEqual(new Set(t))
  await service.stop()
  const file = join(temporaryFolder(), 'quotes.csv')
  const days = ['--from', t[0].slice(0, 10), '--to', t[1].slice(0, 10)]
  const exported = await gammawall('export', '--symbol', 'SPY', ...days, '--out', file, '--data', data)
  expect(exported.code, exported.stderr).toBe(0)
  const [head, ...lines] = parsedCsv(readFileSync(file, 'utf8'))
  expect([...names.slice(0, 1), 'ts', ...names.slice(3)]).toEqual(head)
  const AT = 1
  const closes = lines
    .map((line) => line.with(AT, `${line[AT].replace(' ', 'T')}Z`))
    .filter((line) => t.includes(line[AT]))
  expect(quotes.map(([symbol, , ...rest]) => [symbol, ...rest].join()).sort()).toEqual(
    closes.map((line) => line.join()).sort()
  )
})

interface Series {
  readonly t: readonly string[]
  readonly columns: Readonly<Record<string, readonly (number | null)[]>>
  readonly incomplete: readonly unknown[]
}
