import { vi } from 'vitest'
import type { StoredTape, TapeId, TapeText } from '../../src/archive/history-store.ts'
import type { FoldedView } from '../../src/flow/folds.ts'
import type { TapeKind } from '../../src/market/print.ts'
import type { Instant, Ticker } from '../../src/market/units.ts'
import { LiveTapes, type LiveTapesOptions, type MovedTape, type TapeTrouble } from '../../src/tape/live-tapes.ts'
import { MemoryTapes } from '../support/memory-tapes.ts'
import { noon, SPY } from './messages.ts'
import type { ScriptedFeed } from './scripted-feed.ts'

/** An archive in memory that can be made to refuse. */
export class RefusingArchive {
  readonly tapes = new MemoryTapes()
  /** Error with which reads and writes fail. */
  fault: Error | undefined
  /** Writes so far, refused ones too. */
  writes = 0
  readonly records: (symbol: Ticker) => boolean = () => true

  read = async (id: TapeId): Promise<StoredTape | undefined> => {
    if (this.fault !== undefined) throw this.fault
    return this.tapes.stored(id)
  }

  write = async (text: TapeText): Promise<void> => {
    this.writes++
    if (this.fault !== undefined) throw this.fault
    this.tapes.write(text)
  }
}

export const views = ['positions', 'totals', 'minutes', 'prints', 'blocks'] as const satisfies readonly FoldedView[]

/** Lets everything happen that waits for no clock. */
async function settled(): Promise<void> {
  for (let k = 0; k < 20; k++) await vi.advanceTimersByTimeAsync(0)
}

/** Fakes the clocks, so that the test sets the time; work that waits for no clock runs by itself. */
export function holdClocks(): void {
  const toFake = ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const
  vi.useFakeTimers({ now: Date.parse('2026-11-22T03:00:00Z'), toFake: [...toFake] })
}

/** A keeper over a scripted feed. Its clocks are those of the test: the wall's, and the market's, which may be moved. */
export function keeping(feed: ScriptedFeed | undefined, more: Partial<LiveTapesOptions> = {}) {
  const troubles: TapeTrouble[] = []
  const moved: MovedTape[] = []
  const clock = { shift: noon - Date.now() }
  const keeper = new LiveTapes({
    feed,
    source: 'recorded',
    confidence: 0.43,
    archive: undefined,
    maxSymbols: 2,
    maxBytes: Number.MAX_SAFE_INTEGER,
    marketNow: () => Date.now() + clock.shift,
    clockStands: false,
    steadyNow: Date.now,
    onMoved: (tapes) => moved.push(...tapes),
    onTrouble: (trouble) => troubles.push(trouble),
    ...more
  })
  const now = (): Instant => Date.now() + clock.shift
  return {
    keeper,
    troubles,
    moved,
    clock,
    now,
    /** Advances the time and runs everything that becomes due. */
    async pass(milliseconds: number) {
      await settled()
      await vi.advanceTimersByTimeAsync(milliseconds)
      await settled()
    },
    /** Returns a view after the tapes have caught up. */
    async shown<Name extends FoldedView>(view: Name, symbol = SPY, kind: TapeKind = 'option') {
      const found = keeper.view({ symbol, kind, view })
      await settled()
      return found
    },
    /** Sizes of the uncancelled prints. */
    async sizes(symbol = SPY, kind: TapeKind = 'option') {
      const found = keeper.view({ symbol, kind, view: 'prints' })
      await settled()
      const view = await found
      return view && [...view.prints.size]
    }
  }
}
