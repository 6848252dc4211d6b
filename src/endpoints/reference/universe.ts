import Type from 'typebox'
import { moment, rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { choice, whole } from '../../api/params.ts'
import { Count, Name, Nullable, Seconds, Timestamp, Words } from '../../api/quantity.ts'
import { isoInstant } from '../../market/units.ts'

export const universe = endpoint({
  id: 'universe.current',
  path: '/v1/universe',
  tag: 'reference',
  summary: 'Curated symbols kept warm',
  description: 'The symbols that the operator keeps warm, by tier.',
  plan: 'free',
  needs: ['catalogue', 'now'],
  params: {
    sort: choice<'tier' | 'symbol'>({
      description: 'tier or symbol; anything else counts as tier',
      spelling: { tier: 'tier', symbol: 'symbol' },
      otherwise: 'tier',
      default: 'tier'
    }),
    limit: whole({ description: 'a whole number of symbols', default: 200, minimum: 1, maximum: 1000, clamp: true })
  },
  replay: false,
  stream: false,
  response: Type.Object({
    as_of: Timestamp(undefined, moment),
    count: Count('the whole universe'),
    returned: Count(),
    limit: Count(),
    sort: Words('tier', 'symbol'),
    symbols: Type.Array(
      Type.Object(
        {
          symbol: Name(),
          tier: Type.Integer({ description: '1 = refreshed first, 2 = the rest', enum: [1, 2] }),
          is_pre_warmed: Type.Boolean({ description: 'loaded' }),
          age_seconds: Nullable(
            Seconds('since the loaded data was requested from the source; null if nothing is loaded')
          ),
          is_late: Type.Boolean({
            description: 'not renewed for twice the intended time: the source fails or accepts no more requests'
          })
        },
        { title: 'UniverseSymbol' }
      ),
      rowKey('symbol')
    )
  }),
  answer: ({ catalogue, now }, { sort, limit }) => {
    const ordered = catalogue.universe.toSorted((a, b) =>
      sort === 'tier' ? a.tier - b.tier : a.symbol < b.symbol ? -1 : 1
    )
    const symbols = ordered.slice(0, limit)
    return {
      as_of: isoInstant(now),
      count: ordered.length,
      returned: symbols.length,
      limit,
      sort,
      symbols: symbols.map(({ symbol, tier, warm, age, late }) => ({
        symbol,
        tier,
        is_pre_warmed: warm,
        age_seconds: age ?? null,
        is_late: late
      }))
    }
  }
})
