import type { VendorFields } from '../../port/http/vendor-fields.ts'
import { fieldReader } from '../../port/http/vendor-fields.ts'

export const dxlinkReader = fieldReader('dxLink')

/** Field names of each event type, in the order in which the stream sends the values. */
export type DxlinkEventFields = ReadonlyMap<string, readonly string[]>

export type DxlinkEventSink = (type: string, events: readonly VendorFields[]) => void

/** Stores the field orders of a FEED_CONFIG message in `known`. Throws if a requested field is missing. */
export function readFeedConfig(
  frame: VendorFields,
  wanted: DxlinkEventFields,
  known: Map<string, readonly string[]>
): void {
  if (frame['eventFields'] === undefined) return
  const configured = dxlinkReader.object(frame, 'eventFields')
  for (const type of Object.keys(configured)) {
    const names = (dxlinkReader.list(configured, type) ?? []).map((name) => {
      if (typeof name !== 'string') throw dxlinkReader.malformed(`the fields of ${type} in eventFields are no names`)
      return name
    })
    const absent = (wanted.get(type) ?? []).filter((name) => !names.includes(name))
    if (absent.length > 0) throw dxlinkReader.malformed(`its eventFields of ${type} lack ${absent.join(', ')}`)
    known.set(type, names)
  }
}

/**
 * Splits a FEED_DATA message into events. Its data alternates between an event type and a flat list of field values.
 */
export function readFeedData(frame: VendorFields, fields: DxlinkEventFields, sink: DxlinkEventSink): void {
  const data = dxlinkReader.list(frame, 'data') ?? []
  if (data.length % 2 !== 0) throw dxlinkReader.malformed('the field data is not of pairs')
  for (let at = 0; at < data.length; at += 2) {
    const [type, figures] = [data[at], data[at + 1]]
    if (typeof type !== 'string' || !Array.isArray(figures))
      throw dxlinkReader.malformed('the field data is not of pairs')
    const names = fields.get(type)
    if (names === undefined) throw dxlinkReader.malformed(`data of ${type} came before its eventFields`)
    if (figures.length % names.length !== 0) {
      throw dxlinkReader.malformed(`data of ${type} has ${figures.length} figures, of ${names.length} fields each`)
    }
    const events: VendorFields[] = []
    for (let from = 0; from < figures.length; from += names.length) {
      events.push(Object.fromEntries(names.map((name, k) => [name, figures[from + k]])))
    }
    sink(type, events)
  }
}

/** Reads a number of an event; the texts NaN and Infinity become NaN. */
export function figureIn(event: VendorFields, name: string): number {
  const value = event[name]
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number.NaN
  return dxlinkReader.number(event, name)
}
