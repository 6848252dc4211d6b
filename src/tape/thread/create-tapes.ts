import type { WindowsFound } from '../../api/market-source.ts'
import type { Views } from '../../flow/tape-views.ts'
import type { Ticker } from '../../market/units.ts'
import { nextTaskId, Thread } from '../../workers/thread.ts'
import type { Tapes } from '../tape-port.ts'
import { createLiveTapes, type TapeCallbacks, type TapeSettings } from './create-live-tapes.ts'

export type TapesOptions = TapeSettings & TapeCallbacks

export type ThreadTapesOptions = TapesOptions & {
  /** The compiled program of the thread. */
  readonly program: URL
  readonly onCrash: (error: Error) => void
}

/** Heap for short-lived objects, MB: messages die as soon as they are rows. With the default they would fill 100 MB more. */
const MAX_YOUNG_GENERATION_SIZE_MB = 24

/** How long to wait before a thread that died is replaced, milliseconds. */
const REPLACE_AFTER = 1000

/** Tapes that accept calls at once, and answer them when they are ready. */
export interface StartedTapes extends Tapes {
  /** Rejects if they could not be started. */
  readonly ready: Promise<void>
}

/**
 * Tapes on a thread of their own. A thread that dies is replaced: its tapes begin again as after a restart of the service, and
 * calls in between fail.
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
  /** Least recently kept first. */
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
  /** Sends a call without an answer; if the thread has died, its successor gets it. */
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
  const tapes = await createLiveTapes(options, options)
  return Object.assign(tapes, { ready: Promise.resolve() })
}
