import type { ChainImage, CoveredDay, Gap, HistoryStore, StoredImage, SymbolCoverage } from '../../src/history/store.ts'
import { session } from '../../src/market/calendar.ts'
import { easternDate } from '../../src/market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import { type ArchiveRows, type BarRow, cutRows, poisonRows, type RecordRow } from './archive-rows.ts'

export interface MemoryStore extends HistoryStore {
  /** Another archive with what was visible at a moment, and no row more. */
  cut(at: Instant): MemoryStore
  /** Another archive in which every row that was not visible at a moment holds absurd values. */
  poison(at: Instant): MemoryStore
}

const nothing: ArchiveRows = { images: [], bars: [], records: [] }
const closeOf = (date: IsoDate) => session(date)?.close ?? Number.POSITIVE_INFINITY
const ascending = <Row>(rows: readonly Row[], key: (row: Row) => number | string) =>
  [...rows].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))

/** An archive in memory, for tests: arrays, and the chain itself for its packed form. */
export function memoryStore(given: ArchiveRows = nothing): MemoryStore {
  let { images, bars, records } = given
  let gaps: readonly Gap[] = []
  let updatedAt = 0
  images = ascending(images, ({ chain }) => chain.asOf)

  const stored = ({ chain, fidelity }: ChainImage): StoredImage => {
    return { symbol: chain.symbol, asOf: chain.asOf, fidelity, packed: chain }
  }
  const dayOf = (symbol: Ticker, date: IsoDate) =>
    images.filter(({ chain }) => chain.symbol === symbol && easternDate(chain.asOf) === date)
  const last = (found: readonly ChainImage[]) => (found.length === 0 ? undefined : stored(found[found.length - 1]))
  const isClose = ({ chain }: ChainImage) => last(dayOf(chain.symbol, easternDate(chain.asOf)))?.asOf === chain.asOf

  const symbols = () => [...new Set(images.map(({ chain }) => chain.symbol))].sort()
  const held = () =>
    symbols().map((symbol): SymbolCoverage => {
      const mine = images.filter(({ chain }) => chain.symbol === symbol)
      const dates = [...new Set(mine.map(({ chain }) => easternDate(chain.asOf)))]
      return { symbol, days: dates.map((date) => coveredDay(date, dayOf(symbol, date))), updatedAt }
    })

  return {
    async writeImages(added) {
      const nameOf = ({ chain }: ChainImage) => `${chain.symbol} ${chain.asOf}`
      const names = new Set(added.map(nameOf))
      images = ascending([...images.filter((row) => !names.has(nameOf(row))), ...added], ({ chain }) => chain.asOf)
      updatedAt++
    },
    async writeBars(symbol, added, fidelity) {
      const dates = new Set(added.map(({ date }) => date))
      const others = bars.filter((row) => row.symbol !== symbol || !dates.has(row.bar.date))
      const rows = added.map((bar): BarRow => ({ symbol, bar, fidelity }))
      bars = ascending([...others, ...rows], ({ bar }) => bar.date)
      updatedAt++
    },
    async writeRecords(symbol, added) {
      const dates = new Set(added.map(({ date }) => date))
      const others = records.filter((row) => row.symbol !== symbol || !dates.has(row.record.date))
      const rows = added.map((record): RecordRow => ({ symbol, record }))
      records = ascending([...others, ...rows], ({ record }) => record.date)
      updatedAt++
    },
    async writeGap(gap) {
      gaps = ascending([...gaps, gap], ({ from }) => from)
    },

    image: async (symbol, at) => last(dayOf(symbol, easternDate(at)).filter(({ chain }) => chain.asOf <= at)),
    closingImage: async (symbol, date) => last(dayOf(symbol, date)),
    // Copies, as they come from a database.
    bars: async (symbol, at, count) => {
      const visible = bars.filter((row) => row.symbol === symbol && closeOf(row.bar.date) <= at)
      return visible.slice(-count).map(({ bar }) => ({ ...bar }))
    },
    records: async (symbol, date, count) => {
      const visible = records.filter((row) => row.symbol === symbol && row.record.date < date)
      return visible.slice(-count).map(({ record }) => ({ ...record }))
    },

    symbols: async () => symbols(),
    coverage: async (symbol) => held().find((found) => found.symbol === symbol),
    coverages: async () => held(),
    gaps: async (symbol, from, to) =>
      gaps.filter((gap) => (symbol === undefined || gap.symbol === symbol) && gap.from < to && gap.to > from),

    async forgetBefore(before, { keepCloses }) {
      images = images.filter(
        (image) => image.fidelity === 'imported' || image.chain.asOf >= before || (keepCloses && isClose(image))
      )
    },
    size: async () => [{ table: 'images', rows: images.length, bytes: 0 }],
    close: async () => {},

    cut: (at) => memoryStore(cutRows({ images, bars, records }, at)),
    poison: (at) => memoryStore(poisonRows({ images, bars, records }, at))
  }
}

function coveredDay(date: IsoDate, images: readonly ChainImage[]): CoveredDay {
  return {
    date,
    images: images.length,
    last: images[images.length - 1].chain.asOf,
    hasUnderlying: true,
    hasOptions: images.some(({ chain }) => chain.size > 0),
    hasOpenInterest: images.some(({ chain }) => chain.openInterest.some((open) => open >= 0)),
    hasFit: images.some(({ missing }) => !missing.includes('svi_fits')),
    hasTape: false,
    fidelity: images.every(({ fidelity }) => fidelity === 'recorded') ? 'recorded' : 'imported',
    missing: images[0].missing
  }
}
