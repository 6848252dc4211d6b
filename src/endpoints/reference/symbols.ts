import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Count, Name, Nullable, Timestamp } from '../../api/quantity.ts'
import { isoInstant } from '../../market/units.ts'

export const symbols = endpoint({
  id: 'symbols.current',
  path: '/v1/symbols',
  tag: 'reference',
  summary: 'Symbols with live data in the cache',
  description: 'What is loaded right now and how old it is: a request about these is answered at once.',
  plan: 'free',
  needs: ['catalogue'],
  params: {},
  replay: false,
  stream: false,
  response: Type.Object({
    symbols: Type.Array(Name(), { description: 'requested since the start and still loaded, ascending' }),
    count: Count(),
    note: Name(),
    last_updated: Nullable(Timestamp('when the newest of them was observed')),
    held: Type.Array(
      Type.Object(
        {
          symbol: Name(),
          as_of: Timestamp('when its chain was observed'),
          is_stale: Type.Boolean({ description: 'its source has failed since' })
        },
        { title: 'HeldSymbol' }
      ),
      { ...rowKey('symbol'), description: 'every symbol whose chain is loaded, requested or kept warm, ascending' }
    )
  }),
  answer: ({ catalogue: { asked, lastUpdated, held } }) => ({
    symbols: asked,
    count: asked.length,
    note: 'Symbols requested since the service started whose data is still loaded; any other is loaded at its first request.',
    last_updated: lastUpdated === undefined ? undefined : isoInstant(lastUpdated),
    held: held.map(({ symbol, observedAt, stale }) => ({ symbol, as_of: isoInstant(observedAt), is_stale: stale }))
  })
})
