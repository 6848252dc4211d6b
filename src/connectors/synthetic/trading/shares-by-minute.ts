import { keyOf } from '../../../math/random.ts'
import { sessionBarAt } from '../prices/price-path.ts'
import type { Security } from '../securities/securities.ts'
import type { World } from '../world.ts'
import { minutesOf } from './traded-minute.ts'
import { sessionPart, spread } from './volume-cascade.ts'

/** Key of everything random in the share prints of a security. */
export const shareKey = (world: World, { symbol }: Security): Int32Array =>
  Int32Array.of(keyOf(world.seed, 'share prints', symbol))

/**
 * Shares that trade in each of the first `count` minutes of a session. The minutes of a whole session add up to the volume
 * of its daily bar. Undefined for an index, which trades no shares.
 */
export function sharesByMinute(
  world: World,
  security: Security,
  session: number,
  count: number
): Int32Array | undefined {
  if (security.kind === 'index') return undefined
  const minutes = minutesOf(session)
  const { volume } = sessionBarAt(world, security, session)
  const shares = new Int32Array(count)
  const part = sessionPart(0, minutes, minutes)
  spread(part, shareKey(world, security), session, Int32Array.of(volume), 0, count, new Int32Array(1), shares)
  return shares
}
