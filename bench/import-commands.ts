import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { syntheticUniverse } from '../src/connectors/synthetic/securities/securities.ts'
import { isMonthlyOpex, tradingDays } from '../src/market/calendar.ts'
import type { Chain } from '../src/market/chain.ts'
import type { IsoDate } from '../src/market/units.ts'
import { writeChainFile } from './support/chain-file.ts'
import { runCommand } from './support/command.ts'
import { type Figure, report } from './support/figure.ts'

// Measures what a user waits for: a file goes in, and the command ends when its snapshots, daily records and figures over time are
// in the archive of an empty folder. Each is run by the built program, so its start and the engine's are part of it.
//
//   npm run bench -- import-commands --only small       one of the files: million, small, many
//   npm run bench -- import-commands --backfill 20      days of 14 symbols with their prints; none without it
const { values } = parseArgs({
  options: { only: { type: 'string' }, backfill: { type: 'string' }, days: { type: 'string', default: '35' } }
})
const folder = mkdtempSync(join(tmpdir(), 'gammawall-bench-import-commands-'))
const MILLION = 1_000_000
const backfilled = 'SPY,QQQ,IWM,AAPL,NVDA,TSLA,MSFT,AMZN,META,VIX,VIX9D,VIX3M,VVIX,SKEW'

/** 40 contracts of a few strikes that stay the same from day to day. */
function isFew({ spot }: Chain, date: IsoDate, strike: number): boolean {
  return date.startsWith('2026-12') && isMonthlyOpex(date) && Math.abs(strike / spot - 1) < 0.1 && strike % 10 === 0
}

const files = {
  million: {
    symbols: ['AAPL', 'QQQ', 'SPX', 'SPY'],
    dates: tradingDays('2026-02-02' as IsoDate, '2026-12-31' as IsoDate).slice(0, Number(values.days))
  },
  small: {
    symbols: ['AAPL'],
    dates: tradingDays('2026-01-02' as IsoDate, '2026-12-31' as IsoDate).slice(0, 161),
    isWanted: isFew
  },
  many: {
    symbols: syntheticUniverse.map(({ symbol }) => symbol),
    dates: ['2026-07-29' as IsoDate]
  }
}

async function imported(name: keyof typeof files): Promise<readonly Figure[]> {
  const path = join(folder, `${name}.csv`)
  const rows = await writeChainFile(path, files[name])
  const data = mkdtempSync(join(folder, 'data-'))
  const [before] = loadavg()
  const { seconds, peak, status, output } = await runCommand(['import', 'csv', path, '--data', data, '--accept'])
  if (status !== 0) throw new Error(`the import ended with ${status}:\n${output}`)
  const what = `import csv, ${rows} contracts of ${files[name].symbols.length} symbols, ${files[name].dates.length} days`
  return [
    { name: what, value: seconds, unit: 's', ...(name === 'million' && { atMost: (120 * rows) / MILLION }) },
    { name: '  for a session', value: (1000 * seconds) / files[name].dates.length, unit: 'ms' },
    { name: '  largest memory', value: peak, unit: 'MB', atMost: 600 },
    { name: '  load of the machine before it', value: before, unit: '' }
  ]
}

async function figures(): Promise<readonly Figure[]> {
  const measured: Figure[] = []
  try {
    for (const name of Object.keys(files) as (keyof typeof files)[]) {
      if (values.only === undefined || values.only === name) measured.push(...(await imported(name)))
    }
    if (values.backfill !== undefined) {
      const data = mkdtempSync(join(folder, 'data-'))
      const args = ['backfill', 'synthetic', '--days', values.backfill, '--symbols', backfilled, '--data', data]
      const { seconds, peak, status, output } = await runCommand(args)
      if (status !== 0) throw new Error(`the backfill ended with ${status}:\n${output}`)
      const days = Number(values.backfill)
      measured.push(
        { name: `backfill synthetic, ${days} days`, value: seconds / 60, unit: 'min', atMost: (15 * days) / 20 },
        { name: '  largest memory', value: peak, unit: 'MB', atMost: 600 }
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return measured
}

await report(import.meta.url, figures)
