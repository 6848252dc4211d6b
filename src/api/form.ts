import type { Zone } from './serializer.ts'

/** A form of an answer other than JSON, which a caller asks for by the Accept header or by a parameter. */
export interface Form {
  /** Its media type, in lower case and without parameters. */
  readonly type: string
  /** What the answer function returned to `params` as bytes of this form, times on the clock of `zone` where they are text. */
  readonly write: (answer: never, zone: Zone, params: never) => Uint8Array
}
