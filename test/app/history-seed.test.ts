import { expect, test } from 'vitest'
import { HistorySeed, seeds } from '../../src/app/history-seed.ts'
import type { BackfillJob } from '../../src/jobs/job.ts'
import type { Ticker } from '../../src/market/units.ts'
import { JobRunner, type WorkListener } from '../../src/server/operations/job-runner.ts'

const tickers = ['SPY', 'QQQ', 'IWM', 'AAPL', 'XOM'] as readonly string[] as readonly Ticker[]
const of = (symbol: string) => symbol as Ticker
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A seed whose jobs are in the test's hand: what each was asked to make, and how the last one goes on. */
function seeded(connector = { synthetic: true, tickers }) {
  const asked: (readonly Ticker[])[] = []
  const told: string[] = []
  let listener: WorkListener | undefined
  let finish = () => {}
  let fail = (_: Error) => {}
  const prepare = ({ symbols }: BackfillJob) => {
    asked.push(symbols)
    return async (given: WorkListener) => {
      listener = given
      await new Promise<void>((resolve, reject) => {
        finish = resolve
        fail = reject
        given.signal.addEventListener('abort', () => resolve())
      })
      return {}
    }
  }
  const say = (_: object, text?: string) => void told.push(text ?? '')
  const seed = new HistorySeed({
    config: { seedHistory: 5 },
    connector,
    jobs: new JobRunner(),
    prepare,
    log: { info: say, error: say },
    onFirst: () => told.push('the first chart is complete')
  })
  /** Tells that a symbol is being made, after others whose charts are complete. */
  const make = async (symbol: string, ...early: readonly string[]) => {
    await listener?.onNote({ kind: 'progress', what: `${symbol} 2026-11-27`, done: 1, total: 2, symbol, early })
    await settled()
  }
  const end = async () => {
    finish()
    await settled()
  }
  const breakOff = async () => {
    fail(new Error('the disk is full'))
    await settled()
  }
  return { seed, asked, told, make, end, breakOff }
}

test('only a synthetic market gets a past, and only where one is wanted', () => {
  expect(seeds({ seedHistory: 5 }, { synthetic: true, tickers })).toBe(true)
  expect(seeds({ seedHistory: 0 }, { synthetic: true, tickers })).toBe(false)
  expect(seeds({ seedHistory: 5 }, { synthetic: false, tickers })).toBe(false)
  expect(seeds({ seedHistory: 5 }, { synthetic: true, tickers: [of('XOM')] })).toBe(false)
})

test('the rest of the service goes on once the chart of the first symbol is complete, and is told so once', async () => {
  const { seed, asked, told, make, end } = seeded()
  seed.start()
  expect(asked).toEqual([['SPY', 'QQQ', 'IWM']])
  await make('SPY')
  expect(told).toEqual([])
  await make('SPY', 'SPY')
  expect(told).toEqual(['the first chart is complete'])
  await make('QQQ', 'SPY')
  await make('IWM', 'SPY', 'QQQ')
  await make('SPY', 'SPY', 'QQQ', 'IWM') // now every quarter of an hour of all
  await end()
  expect(told).toEqual(['the first chart is complete', 'the past of the synthetic market is there'])
})

test('a symbol that somebody looks at comes next, and the one that is being made is not left half done', async () => {
  const { seed, asked, make, end } = seeded()
  seed.start()
  await make('SPY')
  seed.want(of('XOM'))
  seed.want(of('SPY'))
  await settled()
  expect(asked).toHaveLength(1)
  await make('SPY', 'SPY')
  expect(asked.slice(1)).toEqual([['XOM', 'SPY', 'QQQ', 'IWM']])
  await make('XOM')
  seed.want(of('IWM'))
  await make('XOM', 'XOM')
  expect(asked.slice(2)).toEqual([['IWM', 'XOM', 'SPY', 'QQQ']])
  await make('IWM')
  await make('XOM', 'IWM')
  seed.want(of('XOM'))
  await settled()
  expect(asked).toHaveLength(3)
  await end()
})

test('a symbol that is asked for after everything was made is made too; one that the market lacks is not', async () => {
  const { seed, asked, told, make, end } = seeded()
  seed.start()
  await make('SPY')
  await end()
  seed.want(of('QQQ'))
  seed.want(of('NOSUCH'))
  expect(asked).toHaveLength(1)
  seed.want(of('AAPL'))
  await settled()
  expect(asked.slice(1)).toEqual([['AAPL', 'SPY', 'QQQ', 'IWM']])
  await end()
  expect(told.filter((text) => text.endsWith('market is there'))).toHaveLength(2)
})

test('what failed is said and not tried again for each chart', async () => {
  const { seed, asked, told, make, breakOff } = seeded()
  seed.start()
  await make('SPY')
  await breakOff()
  expect(told).toEqual(['the first chart is complete', 'the past of the synthetic market could not be made'])
  seed.want(of('AAPL'))
  await settled()
  expect(asked).toHaveLength(1)
})

test('reading the charts of all symbols makes the past of a dozen', async () => {
  const many = Array.from({ length: 60 }, (_, k) => of(`S${k}`))
  const { seed, asked, make } = seeded({ synthetic: true, tickers: [...tickers, ...many] })
  seed.start()
  for (const symbol of many) seed.want(symbol)
  await make('SPY', 'SPY')
  expect(asked.at(-1)).toHaveLength(12)
})
