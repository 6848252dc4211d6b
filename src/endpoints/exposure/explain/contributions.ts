import Type from 'typebox'
import { ranked, rowKey, rowName } from '../../../api/annotations.ts'
import { block } from '../../../api/block.ts'
import { Contracts, Day, Notional, Price, Share, Words } from '../../../api/quantity.ts'
import { contributions, type ExposurePart, type Measure } from '../../../exposure/breakdown/contributions.ts'
import { sumOf } from '../../../exposure/by-strike.ts'
import { netExposures } from '../../../exposure/net.ts'
import { expirationDate, type Scope } from '../../../exposure/scope.ts'
import { CALL } from '../../../market/chain.ts'
import { sourceWord, sourceWords } from './source-word.ts'

const part = () => ({ value: Notional(), share: Share('of gross', { minimum: -1, maximum: 1 }) })
const list = { ...ranked, maxItems: 50, description: 'by absolute size' }
const right = () => Words('call', 'put')

export const contributionsBlock = block(
  Type.Object(
    {
      gross: Notional('sum of the absolute contributions of the contracts', { minimum: 0 }),
      by_right: Type.Array(Type.Object({ right: right(), ...part() }, { title: 'RightContribution' }), {
        ...rowKey('right'),
        minItems: 2,
        maxItems: 2
      }),
      by_expiration: Type.Array(Type.Object({ expiration: Day(), ...part() }, { title: 'ExpirationContribution' }), {
        ...rowKey('expiration'),
        ...list
      }),
      by_strike: Type.Array(Type.Object({ strike: Price(), ...part() }, { title: 'StrikeContribution' }), {
        ...rowKey('strike'),
        ...list
      }),
      by_contract: Type.Array(
        Type.Object(
          {
            expiration: Day(),
            strike: Price(),
            right: right(),
            open_interest: Contracts(undefined, { minimum: 0 }),
            sigma_source: Words(...sourceWords),
            ...part()
          },
          { title: 'ContractContribution' }
        ),
        { ...rowName('expiration', 'strike', 'right'), ...list }
      ),
      remainder: Type.Object(
        { by_expiration: Notional(), by_strike: Notional(), by_contract: Notional() },
        { title: 'ContributionRemainder', description: 'the value less the rows of each list' }
      )
    },
    { title: 'Contributions' }
  ),
  (scope: Scope, measure: Measure, top: number) => {
    const { chain, book } = scope
    const { gross, byRight, byExpiration, byStrike, byContract } = contributions(scope, measure)
    const net = netExposures(scope)[measure]
    const shareOf = (value: number) => ({ value, share: gross === 0 ? 0 : value / gross })
    const rest = (parts: readonly ExposurePart<unknown>[]) => net - sumOf(parts.slice(0, top), ({ value }) => value)
    const rightOf = (slot: number) => (chain.right[slot] === CALL ? ('call' as const) : ('put' as const))
    return {
      gross,
      by_right: [
        { right: 'call' as const, ...shareOf(byRight[0]) },
        { right: 'put' as const, ...shareOf(byRight[1]) }
      ],
      by_expiration: byExpiration.slice(0, top).map(({ key, value }) => ({ expiration: key, ...shareOf(value) })),
      by_strike: byStrike.slice(0, top).map(({ key, value }) => ({ strike: key, ...shareOf(value) })),
      by_contract: byContract.slice(0, top).map(({ key, value }) => ({
        expiration: expirationDate(chain, key),
        strike: chain.strike[key],
        right: rightOf(key),
        open_interest: book.openInterest[key],
        sigma_source: sourceWord(chain.sigmaSource[key]),
        ...shareOf(value)
      })),
      remainder: { by_expiration: rest(byExpiration), by_strike: rest(byStrike), by_contract: rest(byContract) }
    }
  }
)
