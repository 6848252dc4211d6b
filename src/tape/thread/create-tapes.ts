import type { WindowsFound } from '../../api/source.ts'
import type { Views } from '../../flow/views.ts'
import type { Ticker } from '../../market/units.ts'
import { nextTaskId, Thread } from '../../workers/thread.ts'
import type { Tapes } from '../tapes.ts'
import { createKeeper, type TapeOwner, type TapeSettings } from './create-keeper.ts'

export type TapesOptions = TapeSettings & TapeOwner

export type ThreadTapesOptions = TapesOptions & {
  /** The compiled program of the thread. */
  readonly program: URL
  readonly onCrash: (error: Error) => void
}

/**
 * Room for the short-lived objects of the thread: messages, which are gone once they are rows. In that of a worker they would
 * fill a hundred megabytes more, for nothing.
 */
const MAX_YOUNG_GENERATION_SIZE_MB = 24

/** How long to wait before a thread that died is replaced, milliseconds. */
const REPLACE_AFTER = 1000

/** Tapes that take what they are told from the start, and answer once they are ready. */
export interface StartedTapes extends Tapes {
  /** Rejects where they could not be started. */
  readonly ready: Promise<void>
}

/**
 * Tapes on a thread of their own. A thread that dies is replaced: its tapes begin again as after a restart of the
 * service, and what is asked of it meanwhile fails.
 */
export function threadTapes({
  program,
  onCrash,
  onMoved,
  onTrouble,
  read,
  write,
  ...settings
}: ThreadTapesOptions): StartedTapes {
  /** Asked for longest ago first. */
  const kept = new Set<Ticker>()
  let closed = false
  const calls = { moved: onMoved, trouble: onTrouble, read, write }
  const start = (): Thread => {
    const started = new Thread({
      program,
      workerData: settings,
      maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_SIZE_MB,
      lost: (thrown) => thrown ?? new Error('the thread of the tapes has ended')
    }).onExit((error) => {
      if (closed) return
      onCrash(error)
      setTimeout(() => {
        if (closed) return
        thread = start()
        for (const symbol of kept) say('keep', symbol)
      }, REPLACE_AFTER).unref()
    })
    started.run(nextTaskId(), 'run', undefined, { calls }).catch(() => {}) // it ends with the thread
    return started
  }
  const ask = (task: string, args?: unknown) => thread.run(nextTaskId(), task, args)
  /** Where the thread has died the next one hears of it in time. */
  const say = (task: string, args: unknown) => void ask(task, args).catch(() => {})
  let thread = start()
  const ready = thread.ready.catch((error) => {
    closed = true
    throw error
  })
  ready.catch(() => {}) // reported by the code that awaits it
  return {
    ready,
    keep(symbol) {
      kept.delete(symbol)
      kept.add(symbol)
      if (kept.size > settings.maxSymbols) kept.delete(kept.values().next().value!)
      say('keep', symbol)
    },
    view: async <Name extends keyof Views>(request: { readonly view: Name }) =>
      (await ask('view', request)) as Views[Name] | undefined,
    windowTotals: async (kind, from) => (await ask('windowTotals', { kind, from })) as WindowsFound | undefined,
    symbols: async () => (await ask('symbols')) as readonly Ticker[],
    note(chain) {
      const ref = nextTaskId()
      const chains = [{ ref, chain, keep: false }]
      thread.run(ref, 'note', { chainRef: ref }, { chains }).catch(() => {}) // the next chain is noted by the next thread
    },
    async close() {
      closed = true
      await ask('close').catch(() => {}) // it has died: what it had not written is gone with it
      await thread.close()
    }
  }
}

/** Tapes on the calling thread: for tests and for `--workers 0`. */
export async function inlineTapes(options: TapesOptions): Promise<StartedTapes> {
  const keeper = await createKeeper(options, options)
  return {
    ready: Promise.resolve(),
    keep: (symbol) => keeper.keep(symbol),
    view: (request) => keeper.view(request),
    windowTotals: (kind, from) => keeper.windowTotals(kind, from),
    symbols: async () => keeper.symbols(),
    note: (chain) => keeper.note(chain),
    close: () => keeper.close()
  }
}
