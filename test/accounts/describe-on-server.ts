import { afterAll, beforeAll, describe } from 'vitest'
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { addTestsOnServer, keepOn } from './temporary-accounts.ts'

/** Runs the tests of files, which `load` adds, once more for accounts on a PostgreSQL server. */
export function describeOnServer(files: readonly string[], load: (file: string) => Promise<unknown>): void {
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
    for (const file of files) await addTestsOnServer(() => load(file))
  })
}
