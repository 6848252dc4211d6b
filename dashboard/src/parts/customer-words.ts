import type { AnswerOf } from 'gammawall/client'

type Customers = NonNullable<AnswerOf<'/v1/exposure/models/{symbol}'>['customers']>
type Group = Customers['groups'][number]

const NAMES = {
  calls_out: 'calls out of the money',
  calls_in: 'calls in the money',
  puts_out: 'puts out of the money',
  puts_in: 'puts in the money'
} as const satisfies Readonly<Record<Group['group'], string>>

const listed = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/**
 * On which side the customers of a symbol are shown to stand, groups that contradict the convention first; undefined where
 * none is shown.
 */
export function customerWords(symbol: string, customers: Customers | null | undefined): string | undefined {
  const clauses = (['contradicts', 'fits'] as const).flatMap((verdict) =>
    (['long', 'short'] as const).flatMap((side) => {
      const groups = customers?.groups.filter((group) => group.verdict === verdict && group.side === side) ?? []
      if (groups.length === 0) return []
      const names = listed(groups.map(({ group }) => NAMES[group]))
      return [`${names} are ${side}: the convention ${verdict === 'fits' ? 'fits' : 'is contradicted'}`]
    })
  )
  return clauses.length === 0 ? undefined : `Customers of ${symbol} ${clauses.join('; ')}.`
}
