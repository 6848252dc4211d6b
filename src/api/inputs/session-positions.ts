import type { Positions } from '../../flow/views.ts'
import { versionOf } from '../../market/versions.ts'
import { orUndefined } from '../maybe-promise.ts'
import type { Input } from './input.ts'
import { sameView } from './view-crossing.ts'

/**
 * What the option tape of the session shows, for an answer that says so where there is none, live or of a past moment.
 * Undefined where the request does not ask for it: prints then leave the answer as it is.
 */
export const sessionPositions: Input<Positions | undefined> = {
  kind: 'market',
  moves: true,
  find: ({ endpoint, params, symbols: [symbol], request: { source, maxAge } }) =>
    endpoint.positionsRead(params as never)
      ? orUndefined(() => source.view({ symbol, kind: 'option', view: 'positions' }, maxAge))
      : undefined,
  version: (found) => (found === undefined ? '' : versionOf(found)),
  unpack: (packed) => sameView(packed as Positions | undefined)
}
