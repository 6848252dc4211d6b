import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasEngine } from '../support/engine.ts'
import {
  ask,
  eventually,
  gammawall,
  launch,
  program,
  startService,
  temporaryFolder
} from '../support/started-service.ts'

const table = [
  'date,symbol,expiration,strike,right,bid,ask,underlying_price',
  '2024-01-05,SPY,2024-01-19,470,C,5,5.2,467.92',
  '2024-01-05,SPY,2024-01-19,470,P,6,6.2,467.92',
  '2024-01-08,SPY,2024-01-19,470,C,7,x,474.6',
  '2024-01-08,SPY,2024-01-19,470,P,3,3.2,474.6',
  ''
].join('\n')

interface Place {
  readonly data: string
  readonly file: string
  readonly report: string
}

function place(): Place {
  const folder = temporaryFolder()
  const file = join(folder, 'chains.csv')
  writeFileSync(file, table)
  return { data: join(folder, 'data'), file, report: join(folder, 'report.csv') }
}

const imported = ({ data, file, report }: Place) => gammawall('import', 'csv', file, '--data', data, '--report', report)
const exported = async ({ data }: Place, ...more: readonly string[]) => {
  const period = ['--from', '2024-01-01', '--to', '2024-12-31', '--data', data]
  const { stdout, stderr, code } = await gammawall('export', '--symbol', 'SPY', ...period, ...more)
  return { rows: stdout.trim().split('\n').slice(1), stderr, code }
}

describe.skipIf(!hasEngine)('imports and exports', () => {
  test('open the data folder themselves where no service runs, and leave no row twice when they are repeated', async () => {
    const here = place()
    const first = await imported(here)
    expect(first.code).toBe(1)
    expect(first.stderr).toContain('2 snapshots of 3 contracts, 0 daily bars written')
    expect(readFileSync(here.report, 'utf8')).toBe(
      `file,line,reason,count,outcome\n${here.file},4,"its ask is ""x""",1,refused\n`
    )
    expect(first.stderr).toContain(`1 could not be used, the first: ${here.file}, line 4: its ask is "x"`)
    const before = await exported(here)
    expect(before.rows).toHaveLength(3)
    expect(before.rows[0]).toMatch(
      /^"SPY","2024-01-05 21:00:00.000","2024-01-05","2024-01-19","SPY","pm",470,"call",5,5.2,.*,467.92,"imported"$/
    )
    expect((await imported(here)).code).toBe(1)
    expect(await exported(here)).toEqual(before)
  })

  test('go through the service that has the folder', async () => {
    const here = place()
    const service = await startService(here.data, ['--universe', 'SPY', '--workers', '0', '--record', 'off'])
    const { address, token } = JSON.parse(readFileSync(join(here.data, 'service.json'), 'utf8'))
    expect(address).toBe(service.operations)
    expect(statSync(join(here.data, 'service.json')).mode & 0o777).toBe(0o600)
    const stranger = await ask(`${address}/control/work`, undefined, { method: 'POST' })
    expect(stranger.status).toBe(401)

    const first = await imported(here)
    expect([first.code, first.stderr]).toEqual([1, expect.stringContaining('2 snapshots of 3 contracts')])
    expect(readFileSync(here.report, 'utf8')).toContain(',4,"its ask is ""x"""')
    expect((await imported(here)).code).toBe(1)
    expect((await exported(here)).rows).toHaveLength(3)

    const bars = join(here.data, 'SPY.csv')
    writeFileSync(bars, 'date,open,high,low,close,volume\n2024-01-05,467.49,470.44,466.43,467.92,86060800\n')
    expect((await gammawall('import', 'daily', bars, '--data', here.data)).stderr).toContain('1 daily bars written')
    const filled = await gammawall(
      'backfill',
      'synthetic',
      '--days',
      '1',
      '--symbols',
      'AAPL',
      '--every',
      '3h',
      '--tapes',
      'none',
      '--data',
      here.data
    )
    expect(filled.stderr).toMatch(/^\d snapshots of [\d,]+ contracts, [\d,]+ daily bars written/m)

    const ofAapl = ['backfill', 'synthetic', '--symbols', 'AAPL', '--data', here.data]
    const other = await gammawall(...ofAapl, '--seed', '9')
    expect([other.code, other.stderr]).toEqual([1, expect.stringMatching(/^the service .* another market: .*\n$/)])
    const elsewhere = await exported(here, '--history', 'off')
    expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringMatching(/history is switched off/)])

    const missing = await gammawall('import', 'cboe', join(here.data, 'nowhere'), '--data', here.data)
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringMatching(/nowhere cannot be opened/)])
    const order = {
      method: 'POST',
      headers: { 'x-control-token': token, 'content-type': 'application/json' },
      body: '{}'
    }
    expect(await ask(`${address}/control/work`, undefined, order)).toMatchObject({
      status: 400,
      text: 'work must be import, backfill, export or accuracy\n'
    })
    expect((await service.stop()).code).toBe(0)
    expect(existsSync(join(here.data, 'service.json'))).toBe(false)
    expect((await exported(here)).rows).toHaveLength(3)
  })

  test('take no notice of the file that a dead service left', async () => {
    const here = place()
    mkdirSync(here.data)
    const dead = { pid: process.pid, address: 'http://127.0.0.1:9', token: 'x' }
    writeFileSync(join(here.data, 'service.json'), JSON.stringify(dead))
    expect((await imported(here)).code).toBe(1)
    writeFileSync(join(here.data, 'service.json'), JSON.stringify({ ...dead, pid: 2 ** 22 + 1 }))
    expect((await exported(here)).rows).toHaveLength(3)
  })

  test('write a file of each format, and none over another', async () => {
    const here = place()
    await imported(here)
    for (const [format, mark] of [
      ['csv', '"symbol"'],
      ['parquet', 'PAR1'],
      ['arrow', 'ARROW1']
    ] as const) {
      const out = join(here.data, `quotes.${format}`)
      const first = await exported(here, '--format', format, '--out', out)
      expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('written')])
      expect(readFileSync(out).subarray(0, 16).toString('latin1')).toContain(mark)
      expect(await exported(here, '--format', format, '--out', out)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('is there already')
      })
    }
  })

  test('a backfill on a service that stands at a moment writes the days before that moment', async () => {
    const { data } = place()
    const settings = ['--as-of', '2026-03-06T12:00', '--universe', 'AAPL', '--workers', '0', '--record', 'off']
    const service = await startService(data, settings)
    const asked = [
      'backfill',
      'synthetic',
      '--days',
      '2',
      '--symbols',
      'AAPL',
      '--every',
      '6h',
      '--tapes',
      'none',
      '--data',
      data
    ]
    expect((await gammawall(...asked)).code).toBe(0)
    const written = await gammawall(
      ...['export', '--symbol', 'AAPL', '--from', '2026-01-02', '--to', '2026-12-31', '--data', data],
      ...['--what', 'levels', '--format', 'csv']
    )
    const rows = written.stdout.trim().split('\n')
    expect(rows[0]).toMatch(/^symbol,underlying_price,as_of,levels\.gamma_flip,/)
    expect(rows.slice(1).map((row) => row.split(',')[2].slice(0, 10))).toEqual([
      ...['2026-03-04', '2026-03-04', '2026-03-04'],
      ...['2026-03-05', '2026-03-05', '2026-03-05']
    ])
    expect((await service.stop()).code).toBe(0)
  })

  test('a dry run tells what is doubted, an import sets it aside, and --accept takes it', async () => {
    const { data, file } = place()
    writeFileSync(
      file,
      readFileSync(join(import.meta.dirname, '../imports/field-cases/09_spx_am_and_pm_without_root.csv'))
    )
    const tried = await gammawall('import', 'csv', file, '--data', data, '--dry-run')
    expect([tried.code, tried.stdout]).toEqual([
      1,
      expect.stringContaining('10 contracts come twice with other figures')
    ])
    const doubted = join(data, 'import-doubted.csv')
    expect(existsSync(doubted)).toBe(false)
    const first = await gammawall('import', 'csv', file, '--data', data)
    expect([first.code, first.stderr]).toEqual([1, expect.stringContaining('20 rows are doubted and set aside')])
    expect(readFileSync(doubted, 'utf8').trim().split('\n')).toHaveLength(21)
    const again = await gammawall('import', 'csv', doubted, '--data', data)
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('give --accept')])
    const accepted = await gammawall('import', 'csv', doubted, '--data', data, '--accept')
    expect([accepted.code, accepted.stderr]).toEqual([0, expect.stringContaining('1 snapshots of 10 contracts')])
  })

  test('the report of an import lies in the data folder', async () => {
    const { data, file } = place()
    const broken = `${file}.parquet`
    writeFileSync(broken, table)
    const refused = await gammawall('import', 'csv', broken, '--data', data)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('it cannot be read as Parquet: ')])
    expect(readFileSync(join(data, 'import-report.csv'), 'utf8')).toContain(
      `file,line,reason,count,outcome\n${broken},,`
    )
  })

  test('an export prints the shortest decimals of a price, and fails with the reason where there is nothing', async () => {
    const here = place()
    const rows = 'date,symbol,expiration,strike,right,bid,ask,underlying_bid,underlying_ask'
    writeFileSync(here.file, `${rows}\n2024-01-05,SPY,2024-01-19,470,C,0.15000000000000002,5.2,0.1,0.2\n`)
    await imported(here)
    const written = await exported(here)
    expect(written.rows).toEqual([expect.stringMatching(/,470,"call",0\.15,5\.2,.*,0\.15,"imported"$/)])
    const out = join(here.data, 'none.csv')
    const none = await gammawall('export', '--symbol', 'QQQ', '--from', '2024-01-05', '--data', here.data, '--out', out)
    expect([none.code, none.stderr]).toEqual([1, 'nothing of QQQ was ever recorded; the history has SPY\n'])
    expect(existsSync(out)).toBe(false)
  })

  test.each(['alone', 'through a service'])('end in order at Ctrl-C %s, and go on when repeated', async (how) => {
    const { data } = place()
    const service =
      how === 'alone'
        ? undefined
        : await startService(data, ['--universe', 'AAPL', '--workers', '0', '--record', 'off'])
    const asked = ['backfill', 'synthetic', '--days', '12', '--symbols', 'VIX9D,VVIX', '--every', '5m', '--data', data]
    const { child, ended } = launch(process.execPath, [program, ...asked])
    await eventually('the backfill to begin', async () => {
      if (service === undefined) return existsSync(join(data, 'history', 'data')) || undefined
      const { address, token } = JSON.parse(readFileSync(join(data, 'service.json'), 'utf8'))
      const order = { method: 'POST', headers: { 'x-control-token': token } }
      return (await ask(`${address}/control/work`, undefined, order)).status === 409 || undefined
    })
    await new Promise((resolve) => setTimeout(resolve, 500))
    child.kill('SIGINT')
    const first = await ended
    expect(first.code).toBe(1)
    expect(first.stderr).toContain('stopped before the end')
    const again = await eventually('the service to be free', async () => {
      const run = await gammawall(...asked)
      return run.stderr.includes('is at another') ? undefined : run
    })
    expect(again.code).toBe(0)
    const last = await gammawall(...asked)
    expect(last.stderr).toMatch(/^0 snapshots of 0 contracts.* \d,\d\d\d snapshots were there/m)
    if (service !== undefined) expect((await service.stop()).code).toBe(0)
  })

  test('say in one sentence what is wrong with a command', async () => {
    const { data, file } = place()
    const sentence = async (...args: readonly string[]) => {
      const { code, stderr } = await gammawall(...args, '--data', data)
      return [code, stderr.trim()]
    }
    expect(await sentence('import', 'csv')).toEqual([1, 'import csv needs <file or folder>'])
    expect(await sentence('import', 'csv', file, '--map', 'a=b')).toEqual([
      1,
      expect.stringContaining('the column map cannot be used: a=b: there is no field b')
    ])
    expect(await sentence('import', 'csv', file, '--history', 'off')).toEqual([
      1,
      'there is no history to work with: history is switched off: start with --history embedded'
    ])
    expect(await sentence('backfill', 'synthetic', '--every', 'often')).toEqual([
      1,
      '--every must be a time such as 30s, 1m or 1h; it is often'
    ])
    expect(await sentence('export', '--symbol', 'SPY')).toEqual([1, 'export needs --symbol and --from'])
  })
})
