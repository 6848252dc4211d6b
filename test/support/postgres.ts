import { inject } from 'vitest'
import { poolAt } from '../../src/accounts/postgres-pool.ts'
import { givenServer, type PostgresServer, postgresPrograms, startPostgresServer } from './postgres-server.ts'

export type { PostgresServer } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** What may not be left out for want of a program, separated by commas. */
    readonly required: string
    /** Address of a PostgreSQL server that is there already. */
    readonly postgres?: string
  }
}

const given = inject('postgres')
const isRequired = inject('required').split(',').includes('postgres')

/** Whether there is a server to test with, or one can be started. */
export const hasPostgres = given !== undefined || postgresPrograms() !== undefined
if (!hasPostgres) {
  if (isRequired) throw new Error('GAMMAWALL_TEST_REQUIRE names postgres, but no PostgreSQL is installed')
  console.log('skipped: the tests of accounts on a server need PostgreSQL (apt-get install postgresql)')
}

/** Starts a PostgreSQL server on a free port with an empty folder, or uses the one that is given. */
export async function startPostgres(): Promise<PostgresServer> {
  return given === undefined ? startPostgresServer() : givenServer(given)
}

/** Connections that wait for as long as a loaded machine may take. */
export const patientPool = (address: string) => poolAt(address, 120_000)
