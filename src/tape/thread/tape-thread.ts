import { workerData } from 'node:worker_threads'
import type { StoredTape, TapeText } from '../../archive/history-store.ts'
import type { ViewRequest } from '../../flow/tape-views.ts'
import type { TapeKind } from '../../market/print.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { runAfterServing } from '../../workers/priority.ts'
import { type RunningTask, serveTasks } from '../../workers/serve-tasks.ts'
import type { FollowReason } from '../tape-port.ts'
import { createLiveTapes, type TapeSettings } from './create-live-tapes.ts'

/** Calls a function of the thread that owns this one, by name. */
let callOwner: RunningTask['call'] = async () => undefined

runAfterServing('background')

/**
 * Copies rows so that their memory can be transferred to the owner: receiving 4 MB untransferred would block the
 * owner's thread for 25 ms. The original stays here because refused rows are sent again.
 */
const copyOf = (text: TapeText) =>
  Object.fromEntries(Object.entries(text).map(([table, rows]) => [table, new Uint8Array(rows)]))

// A function, because the bundled program may not await at top level.
async function start(): Promise<void> {
  const tapes = await createLiveTapes(workerData as TapeSettings, {
    onMoved: (moved) => void callOwner('moved', [moved]).catch(() => {}), // the next call reports the newer position
    onTrouble: (trouble) => void callOwner('trouble', [trouble]).catch(() => {}),
    read: async (id) => (await callOwner('read', [id])) as StoredTape | undefined,
    write: async (text) => {
      const copy = copyOf(text)
      await callOwner(
        'write',
        [copy],
        Object.values(copy).map(({ buffer }) => buffer)
      )
    }
  })

  /** Tasks that create-tapes.ts calls, by name. */
  const tasks: Readonly<Record<string, (args: never, running: RunningTask) => unknown>> = {
    /** Never finishes. As a running task it lets this thread call the owner. */
    run: (_: unknown, { call }) => {
      callOwner = call
      return new Promise(() => {})
    },
    keep: ({ symbol, why }: { readonly symbol: Ticker; readonly why: FollowReason }) => tapes.keep(symbol, why),
    view: ({ request, mayBePart }: { readonly request: ViewRequest; readonly mayBePart: boolean }) =>
      tapes.view(request, mayBePart),
    progress: (symbol: Ticker) => tapes.progress(symbol),
    windowTotals: ({ kind, from }: { readonly kind: TapeKind; readonly from: Instant }) =>
      tapes.windowTotals(kind, from),
    symbols: () => tapes.symbols(),
    note: (ref: unknown, { chainOf }) => tapes.note(chainOf(ref)),
    close: () => tapes.close()
  }

  serveTasks((task, args, running) => tasks[task](args as never, running))
}

void start() // an error ends the thread
