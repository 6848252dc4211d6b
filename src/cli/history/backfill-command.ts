import { readWhole } from '../../api/number-text.ts'
import { settings, variableOf } from '../../config/settings.ts'
import { JobError, readJob } from '../../jobs/job.ts'
import type { CliCommand, Invocation } from '../command.ts'
import { doJob } from './do-job.ts'

/** Symbols that a backfill makes by default: SPY and QQQ, and the volatility indexes that their responses include. */
const usualSymbols = 'SPY,QQQ,VIX,VIX9D,VIX3M,VVIX,SKEW'
const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }

export const backfillCommand: CliCommand = {
  name: 'backfill synthetic',
  positionals: [],
  summary: 'write past sessions of the synthetic market into the history',
  flags: {
    days: { value: 'count', help: 'number of completed sessions to make, newest first', fallback: '60' },
    symbols: { value: 'tickers', help: 'symbols to make', fallback: usualSymbols },
    every: { value: 'time', help: 'time between snapshots: 30s, 1m, 1h', fallback: '60s' },
    tapes: {
      value: 'tickers',
      help: 'symbols with prints: all, none, or some of them',
      fallback: 'all'
    }
  },
  settings: {
    data: settings.data,
    history: settings.history,
    seed: settings.seed,
    'as-of': settings['as-of'],
    rate: settings.rate,
    'dividend-yield': settings['dividend-yield']
  },
  async run({ config, flags, terminal }) {
    const { days = '60', symbols = usualSymbols, every = '60s', tapes = 'all' } = flags
    const job = readJob({
      work: 'backfill',
      days: readWhole(String(days)),
      symbols: String(symbols).split(','),
      every: millisecondsOf(String(every)),
      tapes: tapes === 'all' ? undefined : tapes === 'none' ? [] : String(tapes).split(','),
      asOf: config.asOf,
      ...givenMarketSettings({ config, flags, terminal })
    })
    await doJob(job, config, terminal)
  }
}

/**
 * Market settings that the user gave by flag or environment variable. Settings that were not given are left to the
 * service that runs the job.
 */
function givenMarketSettings({ config, flags, terminal: { env } }: Pick<Invocation, 'config' | 'flags' | 'terminal'>) {
  const isGiven = (name: string) => flags[name] !== undefined || (env[variableOf(name)] ?? '') !== ''
  const { rates, dividendYield, dividendYields } = config.assumptions
  return {
    seed: isGiven('seed') ? config.connectorValues.seed : undefined,
    assumptions: {
      ...(isGiven('rate') && { rates }),
      ...(isGiven('dividend-yield') && { dividendYield, dividendYields })
    }
  }
}

function millisecondsOf(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,5})([smh])$/.exec(text) ?? []
  if (count === undefined) throw new JobError(`--every must be a time such as 30s, 1m or 1h; it is ${text}`)
  return Number(count) * secondsOf[unit] * 1000
}
