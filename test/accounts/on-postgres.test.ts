import { afterAll, beforeAll, describe } from 'vitest'
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { addTestsOnServer, keepOn } from './temporary-accounts.ts'

/** Files of this folder whose tests hold for accounts on a server as for those of a folder. */
const files = ['accounts', 'bundles', 'database', 'documents', 'issued-keys', 'quota', 'usage']

describe.runIf(hasPostgres)('on a PostgreSQL server', async () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
    keepOn(server)
  })
  afterAll(async () => {
    keepOn(undefined)
    await server.stop()
  })
  for (const file of files) {
    const path = `./${file}.test.ts?on-postgres` // another module than the file's own
    await addTestsOnServer(() => import(path))
  }
})
