import type { ImportWriter, Note } from '../imports/import-writer.ts'
import { easternDate } from '../market/eastern.ts'
import type { IsoDate } from '../market/units.ts'

/**
 * Wraps a writer and warns once, immediately, about snapshots before the first day of the host for historical data.
 * They are stored, but that host gives no responses for them.
 */
export function warnBeforeReplay(
  writer: ImportWriter,
  from: IsoDate | undefined,
  onNote: (note: Note) => void | Promise<void>
): ImportWriter {
  if (from === undefined) return writer
  let warned = false
  return {
    ...writer,
    async snapshot(taken) {
      const { symbol, asOf } = taken.chain
      const date = easternDate(asOf)
      if (!warned && date < from) {
        warned = true
        const remedy = `start the service with --replay-from ${date} or earlier to be answered for it`
        await onNote({
          kind: 'warning',
          text: `${symbol} on ${date} lies before ${from}, where replay begins: ${remedy}`
        })
      }
      await writer.snapshot(taken)
    }
  }
}
