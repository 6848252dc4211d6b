import { expect, test } from 'vitest'
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
