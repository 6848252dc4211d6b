import { daysBetween } from '../../market/calendar.ts'
import { type IsoDate, parseIsoDate } from '../../market/units.ts'
import { type Fields, fieldReader } from '../port/http/vendor-fields.ts'

export const reader = fieldReader('tastytrade')

/** A contract as the listing names it. */
export interface Contract {
  /** OCC symbol without spaces. */
  readonly occ: string
  /** As the stream names it: `.SPXW260320C5700`. */
  readonly streamer: string
  readonly expiration: IsoDate
  readonly strike: number
  /** It delivers 100 shares. */
  readonly isStandard: boolean
}

/** The contracts of an answer of `/option-chains/{symbol}/nested`: those that the stream has, by the name it gives them. */
export function readListing(answer: Fields): readonly Contract[] {
  const items = reader.list(reader.object(answer, 'data'), 'items') ?? []
  return items.flatMap((item) => {
    const root = reader.element(item, 'items')
    const isStandard = reader.number(root, 'shares-per-contract') === 100
    return (reader.list(root, 'expirations') ?? []).flatMap((listed) => {
      const fields = reader.element(listed, 'expirations')
      const expiration = parseIsoDate(reader.text(fields, 'expiration-date'))
      if (expiration === undefined) throw reader.malformed('the field expiration-date is no date')
      return (reader.list(fields, 'strikes') ?? []).flatMap((row) => {
        const strikeFields = reader.element(row, 'strikes')
        const strike = Number(reader.text(strikeFields, 'strike-price'))
        if (!(strike > 0)) throw reader.malformed('the field strike-price is no price')
        return (['call', 'put'] as const).flatMap((right) => {
          const occ = reader.text(strikeFields, right).replaceAll(' ', '')
          const streamer = reader.text(strikeFields, `${right}-streamer-symbol`)
          // One without a name is not in the stream, and none is made up.
          return streamer === '' ? [] : [{ occ, streamer, expiration, strike, isStandard }]
        })
      })
    })
  })
}

/**
 * So many of the contracts, those that matter most at a spot: by how far their strike is from it against what the time to
 * their expiration makes of a usual move.
 */
export function nearestContracts(
  contracts: readonly Contract[],
  spot: number,
  today: IsoDate,
  most: number
): readonly Contract[] {
  const live = contracts.filter(({ expiration }) => expiration >= today)
  if (live.length <= most) return live
  const distance = ({ strike, expiration }: Contract) => {
    const days = Math.max(1, daysBetween(today, expiration))
    return Math.abs(Math.log(strike / spot)) / Math.sqrt(days) + days / 3650
  }
  return live
    .map((contract) => ({ contract, at: distance(contract) }))
    .sort((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ contract }) => contract)
}
