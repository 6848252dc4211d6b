import { decode, decodeTimestampToTimeSpec, ExtensionCodec } from '@msgpack/msgpack'
import type { Instant } from '../../../market/units.ts'

/** A MessagePack timestamp in whole microseconds; the library's own decoder stops at milliseconds. */
export class PackedTime {
  readonly instant: Instant

  constructor(seconds: number, nanoseconds: number) {
    this.instant = 1000 * seconds + Math.floor(nanoseconds / 1000) / 1000
  }
}

/** MessagePack extension type of timestamps (specification, "Timestamp extension type"). */
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

/** Decodes a frame; undefined if it is not valid MessagePack. */
export function decodeMessagePack(bytes: Uint8Array): unknown {
  try {
    // The library allocates arrays at their declared length; the limit stops a forged length from allocating more than
    // the frame's size.
    return decode(bytes, { extensionCodec, maxArrayLength: bytes.length, maxMapLength: bytes.length })
  } catch {
    return undefined
  }
}
