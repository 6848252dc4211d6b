import type { DailyBar } from '../market/bar.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { Engine } from './engine.ts'
import { runTask, type Task, type TaskContext } from './task.ts'

/** An engine on the calling thread: for tests and for `--workers 0`. */
export function inlineEngine(context: TaskContext): Engine {
  let pending = 0
  const run = async <Result>(task: Task): Promise<Result> => {
    pending++
    try {
      return (await runTask(task, context)) as Result
    } finally {
      pending--
    }
  }
  return {
    load: (symbol, now) => run<PricedChain | undefined>({ kind: 'load', symbol, now }),
    loadClose: (symbol, session) => run<PricedChain | undefined>({ kind: 'load close', symbol, session }),
    bars: (symbol, now) => run<readonly DailyBar[]>({ kind: 'bars', symbol, now }),
    records: (symbol, sessions, now) => run<readonly DailyRecord[]>({ kind: 'records', symbol, sessions, now }),
    record: (snapshot, bars) => run<DailyRecord>({ kind: 'record', snapshot, bars }),
    restore: (snapshot) => run<PricedChain>({ kind: 'restore', snapshot }),
    answer: (endpoint, question) => run<Uint8Array>({ kind: 'answer', endpoint, question }),
    forget: () => {},
    get pending() {
      return pending
    },
    close: async () => {}
  }
}
