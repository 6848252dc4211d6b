import { parseArgs } from 'node:util'
import { postgresPrograms, startPostgresServer } from '../test/support/postgres-server.ts'
import { redisProgram } from '../test/support/redis-server.ts'
import { alerts, type Found, grantTimes, outage, races, revocations } from './cluster/bars.ts'
import { roll, takeover } from './cluster/rolling.ts'
import { equal, lost, travel } from './cluster/sharing.ts'
import { streams } from './cluster/streaming.ts'

// Several services over one PostgreSQL server, some of which share chains in Redis: what they promise together while members
// and servers fail.
//
//   npm run cluster -- --only races,revoked      all parts unless some are named; a short form runs in npm test

/** The parts of the trial, in full. */
const parts = {
  races: (server) => races(server, 100, 10_000),
  frozen: (server) => outage(server, 30, 'freeze', 0),
  cut: (server) => outage(server, 30, 'cut', 20),
  notified: (server) => revocations(server, 1000, true),
  revoked: (server) => revocations(server, 1000, false),
  alerts: (server) => alerts(server, 200, 20),
  grants: (server) => grantTimes(server, 2000),
  equal: (server) => equal(server),
  flow: (server) => equal(server, 'flow'),
  travel: (server) => travel(server, 30),
  lost: (server) => lost(server, 8),
  streams: (server) => streams(server, 60),
  takeover,
  roll: (server) => roll(server, 10_000)
} satisfies Record<string, (server: Awaited<ReturnType<typeof startPostgresServer>>) => Promise<Found>>

export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { only: { type: 'string' } } })
  const names = values.only?.split(',') ?? Object.keys(parts)
  if (postgresPrograms() === undefined) throw new Error('this trial needs PostgreSQL (apt-get install postgresql)')
  if (redisProgram() === undefined) throw new Error('this trial needs Redis (apt-get install redis-server)')
  const server = await startPostgresServer()
  let faults = 0
  try {
    for (const name of names) {
      const part = parts[name as keyof typeof parts]
      if (part === undefined) throw new Error(`${name} is no part: ${Object.keys(parts).join(', ')}`)
      const found = await part(server)
      faults += found.faults.length
      console.log(`${name}: ${JSON.stringify(found.figures)}`)
      for (const fault of found.faults) console.log(`  FAULT ${fault}`)
    }
  } finally {
    await server.stop()
  }
  console.log(faults === 0 ? 'no faults' : `${faults} faults`)
  return faults === 0 ? 0 : 1
}
