import type { DailyBar } from '../market/bar.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { Engine } from './engine.ts'
import { perform, type Task, type Workshop } from './task.ts'

/** An engine on the calling thread: for tests and for `--workers 0`. */
export function inlineEngine(workshop: Workshop): Engine {
  let pending = 0
  const run = async <Result>(task: Task): Promise<Result> => {
    pending++
    try {
      return (await perform(task, workshop)) as Result
    } finally {
      pending--
    }
  }
  return {
    load: (symbol, now) => run<PricedChain | undefined>({ kind: 'load', symbol, now }),
    loadClose: (symbol, session) => run<PricedChain | undefined>({ kind: 'load close', symbol, session }),
    bars: (symbol, now) => run<readonly DailyBar[]>({ kind: 'bars', symbol, now }),
    records: (symbol, sessions, now) => run<readonly DailyRecord[]>({ kind: 'records', symbol, sessions, now }),
    record: (image, bars) => run<DailyRecord>({ kind: 'record', image, bars }),
    restore: (image) => run<PricedChain>({ kind: 'restore', image }),
    answer: (endpoint, question) => run<Uint8Array>({ kind: 'answer', endpoint, question }),
    forget: () => {},
    get pending() {
      return pending
    },
    close: async () => {}
  }
}
