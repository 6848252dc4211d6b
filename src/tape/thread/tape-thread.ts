import { workerData } from 'node:worker_threads'
import type { StoredTape, TapeText } from '../../archive/store.ts'
import type { ViewRequest } from '../../flow/views.ts'
import type { TapeKind } from '../../market/print.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { runAfterServing } from '../../workers/priority.ts'
import { type RunningTask, serveTasks } from '../../workers/serve-tasks.ts'
import { createKeeper, type TapeSettings } from './create-keeper.ts'

/** What the owner of the thread is told, by name. */
type Tell = RunningTask['call']
let tell: Tell = async () => undefined

runAfterServing('background')

/**
 * Rows that are handed over without a copy: to take in one of 4 MB would hold up the thread that serves for 25 ms. The copy
 * is made here, of what is written again where the archive refuses it.
 */
const copyOf = (text: TapeText) =>
  Object.fromEntries(Object.entries(text).map(([table, rows]) => [table, new Uint8Array(rows)]))

// In a function, since the program that is joined into few files awaits nothing while it is loaded.
async function start(): Promise<void> {
  const keeper = await createKeeper(workerData as TapeSettings, {
    onMoved: (moved) => void tell('moved', [moved]).catch(() => {}), // the next telling says it, too
    onTrouble: (trouble) => void tell('trouble', [trouble]).catch(() => {}),
    read: async (id) => (await tell('read', [id])) as StoredTape | undefined,
    write: async (text) => {
      const copy = copyOf(text)
      await tell(
        'write',
        [copy],
        Object.values(copy).map(({ buffer }) => buffer)
      )
    }
  })

  /** The tasks of the thread, by name; create-tapes.ts is their other end. */
  const tasks: Readonly<Record<string, (args: never, running: RunningTask) => unknown>> = {
    /** Runs for as long as the thread does: what happens to tapes is told to the owner by it. */
    run: (_: unknown, { call }) => {
      tell = call
      return new Promise(() => {})
    },
    keep: (symbol: Ticker) => keeper.keep(symbol),
    view: (request: ViewRequest) => keeper.view(request),
    windowTotals: ({ kind, from }: { readonly kind: TapeKind; readonly from: Instant }) =>
      keeper.windowTotals(kind, from),
    symbols: () => keeper.symbols(),
    note: (ref: unknown, { chainOf }) => keeper.note(chainOf(ref)),
    close: () => keeper.close()
  }

  serveTasks((task, args, running) => tasks[task](args as never, running))
}

void start() // what it throws ends the thread
