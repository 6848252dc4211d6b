import { daysBetween } from '../../market/calendar.ts'
import { type IsoDate, parseIsoDate, type Ticker } from '../../market/units.ts'
import { fieldReader, type VendorFields } from '../port/http/vendor-fields.ts'

export const tastytradeReader = fieldReader('tastytrade')

/** A contract as the listing names it. */
export interface TastytradeContract {
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
export function readTastytradeListing(answer: VendorFields): readonly TastytradeContract[] {
  const items = tastytradeReader.list(tastytradeReader.object(answer, 'data'), 'items') ?? []
  return items.flatMap((item) => {
    const root = tastytradeReader.element(item, 'items')
    const isStandard = tastytradeReader.number(root, 'shares-per-contract') === 100
    return (tastytradeReader.list(root, 'expirations') ?? []).flatMap((listed) => {
      const fields = tastytradeReader.element(listed, 'expirations')
      const expiration = parseIsoDate(tastytradeReader.text(fields, 'expiration-date'))
      if (expiration === undefined) throw tastytradeReader.malformed('the field expiration-date is no date')
      return (tastytradeReader.list(fields, 'strikes') ?? []).flatMap((row) => {
        const strikeFields = tastytradeReader.element(row, 'strikes')
        const strike = Number(tastytradeReader.text(strikeFields, 'strike-price'))
        if (!(strike > 0)) throw tastytradeReader.malformed('the field strike-price is no price')
        return (['call', 'put'] as const).flatMap((right) => {
          const occ = tastytradeReader.text(strikeFields, right).replaceAll(' ', '')
          const streamer = tastytradeReader.text(strikeFields, `${right}-streamer-symbol`)
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
  contracts: readonly TastytradeContract[],
  spot: number,
  today: IsoDate,
  most: number
): readonly TastytradeContract[] {
  const live = contracts.filter(({ expiration }) => expiration >= today)
  if (live.length <= most) return live
  const distance = ({ strike, expiration }: TastytradeContract) => {
    const days = Math.max(1, daysBetween(today, expiration))
    return Math.abs(Math.log(strike / spot)) / Math.sqrt(days) + days / 3650
  }
  return live
    .map((contract) => ({ contract, at: distance(contract) }))
    .sort((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ contract }) => contract)
}

/** A share, fund or index as the stream names it: BRK/B for BRK.B. */
export function streamSymbol(symbol: Ticker): string {
  return symbol.replace('.', '/')
}
