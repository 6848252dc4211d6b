import type { Input } from './input.ts'

/** Seconds that the source of the chain runs behind the market; 0 on a past moment, and where there is no chain. */
export const sourceDelay: Input<number> = {
  kind: 'market',
  moves: true,
  find: ({ chain, request: { source } }) => (chain === undefined ? 0 : source.delayOf(chain)),
  version: (found) => found
}
