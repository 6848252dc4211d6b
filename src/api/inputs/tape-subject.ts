import { type ChainHeader, headerOf } from '../../market/chain.ts'
import { versionOf } from '../../market/versions.ts'
import { orTaped } from './any-quote.ts'
import type { Input } from './input.ts'

/** The underlying of an answer made of prints: that it is known is enough, and what its options say is no part of it. */
export const tapeSubject: Input<ChainHeader | undefined> = {
  ...orTaped,
  kind: 'market',
  moves: true,
  subject: 'underlying',
  find: ({ underlying }) => underlying,
  value: (found) => found && headerOf(found), // what is found may be a whole chain
  version: (found) => (found === undefined ? '' : versionOf(found)),
  dates: (found) => (found === undefined ? [] : [found])
}
