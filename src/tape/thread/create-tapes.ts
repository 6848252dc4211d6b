import type { WindowsFound } from '../../api/market-source.ts'
import type { Views } from '../../flow/tape-views.ts'
import { viewBytes } from '../../flow/view-bytes.ts'
import type { Ticker } from '../../market/units.ts'
import { noteSharedMemory } from '../../memory/shared-memory.ts'
import { nextTaskId, Thread } from '../../workers/thread.ts'
import type { FollowReason, ReadProgress, Tapes } from '../tape-port.ts'
import { createLiveTapes, type TapeCallbacks, type TapeSettings } from './create-live-tapes.ts'

export type TapesOptions = TapeSettings & TapeCallbacks

export type ThreadTapesOptions = TapesOptions & {
  readonly program: URL
  readonly onCrash: (error: Error) => void
}

/**
 * Heap limit for short-lived objects, MB. Messages become garbage as soon as they are rows, so there is little to copy
 * when they are collected; with V8's own limit they would fill 100 MB more.
 */
const MAX_YOUNG_GENERATION_SIZE_MB = 12

/** Pause before a thread that died is replaced, milliseconds. */
const REPLACE_AFTER = 1000

/** Tapes that accept calls at once. Calls are answered when the tapes are ready. */
export interface StartedTapes extends Tapes {
  readonly ready: Promise<void>
}

/**
 * Runs the tapes on their own thread. A thread that dies is replaced: tapes are restored as after a restart of the
 * service, and calls in between fail.
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
  /** Followed symbols; the symbol whose last `keep` is oldest comes first. */
  const kept = new Map<Ticker, FollowReason>()
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
        for (const [symbol, why] of kept) say('keep', { symbol, why })
      }, REPLACE_AFTER).unref()
    })
    started.run(nextTaskId(), 'run', undefined, { calls }).catch(() => {}) // rejects when the thread ends
    return started
  }
  const ask = (task: string, args?: unknown) => thread.run(nextTaskId(), task, args)
  /** Sends a call that needs no result. Errors are ignored: after a crash the followed symbols are sent again. */
  const say = (task: string, args: unknown) => void ask(task, args).catch(() => {})
  let thread = start()
  const ready = thread.ready.catch((error) => {
    closed = true
    throw error
  })
  ready.catch(() => {}) // the code that awaits `ready` reports the error
  return {
    ready,
    keep(symbol, why = 'asked') {
      const isPinned = why === 'pinned' || kept.get(symbol) === 'pinned'
      kept.delete(symbol)
      kept.set(symbol, isPinned ? 'pinned' : why)
      if (kept.size > settings.maxSymbols) kept.delete(kept.keys().next().value!)
      say('keep', { symbol, why })
    },
    async view<Name extends keyof Views>(request: { readonly view: Name }, mayBePart = false) {
      const view = (await ask('view', { request, mayBePart })) as Views[Name] | undefined
      noteSharedMemory(viewBytes(view)) // V8 does not count it, and old views would stay
      return view
    },
    progress: async (symbol) => (await ask('progress', symbol)) as ReadProgress | undefined,
    windowTotals: async (kind, from) => (await ask('windowTotals', { kind, from })) as WindowsFound | undefined,
    symbols: async () => (await ask('symbols')) as readonly Ticker[],
    async note(chain) {
      if (settings.followed !== undefined) return
      const ref = nextTaskId()
      const chains = [{ ref, chain, keep: false }]
      // After a crash, the next chain goes to the new thread.
      await thread.run(ref, 'note', { chainRef: ref }, { chains }).catch(() => {})
    },
    async close() {
      closed = true
      await ask('close').catch(() => {}) // if the thread has died, its unwritten rows are lost
      await thread.close()
    }
  }
}

/** Runs the tapes on the calling thread, for tests and `--workers 0`. */
export async function inlineTapes(options: TapesOptions): Promise<StartedTapes> {
  const tapes = await createLiveTapes(options, options)
  return Object.assign(tapes, { ready: Promise.resolve() })
}
