import type { IsoDate } from '../market/units.ts'

/** Says when an endpoint will be removed. Days begin at 00:00 UTC. */
export interface Deprecation {
  /** Day since which new programs should not use the endpoint. */
  readonly since: IsoDate
  /** Day from which the endpoint may be gone. */
  readonly sunset: IsoDate
  /** Path of the endpoint to use. */
  readonly instead: string
}

/** One sentence for documentation and the types of clients. */
export function deprecationText({ since, sunset, instead }: Deprecation): string {
  return `Deprecated since ${since} and gone from ${sunset} on: use ${instead}.`
}

/** Value of the header Deprecation (RFC 9745): a date as Unix seconds after an at sign. */
export function deprecationDate({ since }: Deprecation): string {
  return `@${Date.parse(since) / 1000}`
}

/** Value of the header Sunset (RFC 8594): a date as in HTTP. */
export function sunsetDate({ sunset }: Deprecation): string {
  return new Date(sunset).toUTCString()
}
