import { versionOf } from '../market/versions.ts'

/**
 * What a reading of the market gave: its name, what it was asked, and the version of what it found. While the version
 * is equal, an answer made from it stands. It holds no data, so chains that were replaced can be collected.
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
