import type { ChainProvenance } from '../source.ts'
import type { Input } from './input.ts'

/** Where the chain comes from. Undefined where there is no chain. */
export const provenance: Input<ChainProvenance | undefined> = {
  kind: 'market',
  moves: false,
  find: ({ chain, request: { source } }) => chain && source.provenanceOf(chain),
  version: (found) => (found === undefined ? '' : `${found.name} ${found.pace}`)
}
