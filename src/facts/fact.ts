import { versionOf } from '../market/versions.ts'

/**
 * A reading of the market: its name, its arguments, and the version of its result. While the version is equal, an answer
 * made from it is current. A fact holds no data, so replaced chains can be collected.
 */
export interface Fact {
  readonly reading: string
  readonly asked: readonly unknown[]
  readonly version: FactVersion
}

/** A number of its own for every object, any other value itself. NaN equals nothing: what could not be read never stands. */
export type FactVersion = unknown

export function factVersion(found: unknown): FactVersion {
  return typeof found === 'object' && found !== null ? versionOf(found) : found
}
