import { daysBetween } from '../../market/calendar.ts'
import { type IsoDate, parseIsoDate, type Ticker } from '../../market/units.ts'
import { fieldReader, type VendorFields } from '../port/http/vendor-fields.ts'

export const tastytradeReader = fieldReader('tastytrade')

export interface TastytradeContract {
  /** OCC symbol without spaces. */
  readonly occ: string
  /** Stream name, e.g. `.SPXW260320C5700`. */
  readonly streamer: string
  readonly expiration: IsoDate
  readonly strike: number
  /** Whether the contract delivers 100 shares. */
  readonly isStandard: boolean
}

/** Reads a response of `/option-chains/{symbol}/nested`, without contracts that the stream does not carry. */
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
          // Contracts without a stream name are not in the stream.
          return streamer === '' ? [] : [{ occ, streamer, expiration, strike, isStandard }]
        })
      })
    })
  })
}

/**
 * Picks the `most` contracts with the nearest strikes. Distance is |ln(K/S)| / √days, so far expirations may have
 * farther strikes; near expirations are slightly preferred.
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

/** Stream name of a stock, fund or index, e.g. BRK/B for BRK.B. */
export function streamSymbol(symbol: Ticker): string {
  return symbol.replace('.', '/')
}
