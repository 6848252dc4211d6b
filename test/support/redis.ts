import { inject } from 'vitest'
import { redisProgram } from './redis-server.ts'

const isRequired = inject('required').split(',').includes('redis')

/** Whether a Redis server can be started. */
export const hasRedis = redisProgram() !== undefined
if (!hasRedis) {
  if (isRequired) throw new Error('GAMMAWALL_TEST_REQUIRE names redis, but no Redis is installed')
  console.log('skipped: the tests of shared chains need Redis (apt-get install redis-server)')
}

export { type RedisServer, startRedisServer } from './redis-server.ts'
