import type { Builder, Offset } from 'flatbuffers'

/** Adds one field to a FlatBuffers table; `slot` is the field's position in the table's schema. */
export type AddField = (to: Builder, slot: number) => void

export const byte =
  (value: number): AddField =>
  (to, slot) =>
    to.addFieldInt8(slot, value, 0)
/** `usual` is the default of the schema, which is not written. */
export const short =
  (value: number, usual = 0): AddField =>
  (to, slot) =>
    to.addFieldInt16(slot, value, usual)
export const int =
  (value: number): AddField =>
  (to, slot) =>
    to.addFieldInt32(slot, value, 0)
export const long =
  (value: number): AddField =>
  (to, slot) =>
    to.addFieldInt64(slot, BigInt(value), 0n)
export const reference =
  (value: Offset): AddField =>
  (to, slot) =>
    to.addFieldOffset(slot, value, 0)

/** Writes a FlatBuffers table; its fields are in schema order. A field that is undefined keeps its default. */
export function table(to: Builder, fields: readonly (AddField | undefined)[]): Offset {
  to.startObject(fields.length)
  for (const [slot, add] of fields.entries()) add?.(to, slot)
  return to.endObject()
}

const OFFSET_BYTES = 4

/** Writes a vector. FlatBuffers are filled from their end, so the last item is written first. */
function vector<Item>(to: Builder, bytes: number, items: readonly Item[], write: (item: Item) => void): Offset {
  to.startVector(bytes, items.length, bytes)
  for (const item of items.toReversed()) write(item)
  return to.endVector()
}

export function referenceVector(to: Builder, items: readonly Offset[]): Offset {
  return vector(to, OFFSET_BYTES, items, (item) => to.addOffset(item))
}

/** Writes a vector of structs of two 8-byte numbers. */
export function pairs(to: Builder, items: readonly (readonly [number, number])[]): Offset {
  return vector(to, 16, items, ([first, second]) => {
    to.prep(8, 16)
    to.writeInt64(BigInt(second))
    to.writeInt64(BigInt(first))
  })
}
