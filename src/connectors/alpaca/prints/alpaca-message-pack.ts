import { decode, decodeTimestampToTimeSpec, ExtensionCodec } from '@msgpack/msgpack'
import type { Instant } from '../../../market/units.ts'

/** A time as MessagePack writes it, to whole microseconds: the library's own reading ends at milliseconds. */
export class PackedTime {
  readonly instant: Instant

  constructor(seconds: number, nanoseconds: number) {
    this.instant = 1000 * seconds + Math.floor(nanoseconds / 1000) / 1000
  }
}

/** The number of times among the extensions of MessagePack (its specification, "Timestamp extension type"). */
const TIMESTAMP = -1

const extensionCodec = new ExtensionCodec()
extensionCodec.register({
  type: TIMESTAMP,
  encode: () => null,
  decode(data) {
    const { sec, nsec } = decodeTimestampToTimeSpec(data)
    return new PackedTime(sec, nsec)
  }
})

/** Reads a frame of the stream. Undefined where it is no MessagePack, or not all of it. */
export function decodeMessagePack(bytes: Uint8Array): unknown {
  try {
    // A list is made as long as it says it is: one that were longer than its frame would take memory for nothing.
    return decode(bytes, { extensionCodec, maxArrayLength: bytes.length, maxMapLength: bytes.length })
  } catch {
    return undefined
  }
}
