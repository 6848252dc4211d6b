import { computed, signal } from '@preact/signals'
import { at, place } from '../page/address.ts'
import { pollPace } from '../service/pace.ts'
import { posted } from '../service/posted.ts'
import { symbolsOf } from '../service/watchlists.ts'
import { LINKED } from './layouts.ts'
import { panels } from './workspace-state.ts'

/** Whether no symbol has a star: then the symbols of the panels are listed, since there is nothing else. */
export const hasNoStars = computed(() => place.value.list === undefined && symbolsOf(undefined)?.length === 0)

/** The symbols of the chosen list. */
export const listedSymbols = computed((): readonly string[] => {
  if (!hasNoStars.value) return symbolsOf(place.value.list) ?? []
  return [...new Set(panels.value.map(({ symbol }) => symbol).filter((symbol) => symbol !== LINKED))]
})

export interface WatchRow {
  readonly symbol: string
  readonly price?: number | null
  readonly net_gex?: number | null
  readonly gamma_flip?: number | null
}

/** Most symbols with figures: the most that every plan allows in one answer. */
const MOST = 50

const round = signal(0)

// A text of its own, so that an equal list requests nothing again.
const symbolText = computed(() => listedSymbols.value.slice(0, MOST).join())

const found = posted('/v1/screener', () => {
  void round.value
  if (symbolText.value === '' || at.value !== undefined) return undefined
  const symbols = symbolText.value.split(',')
  return {
    universe: { type: 'custom', symbols },
    select: ['price', 'net_gex', 'gamma_flip'],
    limit: MOST
  }
})
export const watchTrouble = found.trouble

/** Figures of the listed symbols by symbol, of now: there are none of a past moment. */
export const watched = computed(
  () => new Map(((found.answer.value?.data ?? []) as unknown as readonly WatchRow[]).map((row) => [row.symbol, row]))
)

/** Requests the figures again and again, until the returned function is called. */
export function startWatching(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const again = async () => {
    const pace = await pollPace()
    if (isOver) return
    timer = setTimeout(() => {
      round.value++
      void again()
    }, pace)
  }
  const stop = found.start()
  void again()
  return () => {
    isOver = true
    clearTimeout(timer)
    stop()
  }
}
