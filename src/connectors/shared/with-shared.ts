import { redisShelf } from '../../shelf/redis-shelf.ts'
import type { Connector } from '../port/connector.ts'
import type { SharedChains } from '../port/declaration.ts'
import { collecting } from './collecting-connector.ts'
import { followed } from './followed-connector.ts'

/**
 * The source of a member: a collector asks the vendors and shares what they say; the others follow what is shared.
 * `alone` creates the source as a service by itself has it; `isMade` tells that it is made up.
 */
export async function withShared(
  { address, prefix, collects }: SharedChains,
  alone: () => Promise<Connector>,
  isMade: boolean
): Promise<Connector> {
  const shelf = redisShelf({ address, prefix })
  return collects ? collecting(await alone(), shelf) : followed(shelf, isMade ? await alone() : undefined)
}
