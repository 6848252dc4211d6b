import { Client, Pool, types } from 'pg'

/** Connections of a process: the service, its writes of counts, and a few requests of administration at once. */
const CONNECTIONS = 5
/** Milliseconds after which a server that does not answer counts as gone. */
export const PATIENCE = 2000
/** PostgreSQL's type of counts and sums. */
const BIGINT = 20

/** Settings of every connection to a server. A statement fails that runs for longer than `patience` milliseconds. */
export function connectionTo(address: string, patience: number) {
  return {
    connectionString: address,
    query_timeout: patience,
    connectionTimeoutMillis: patience,
    keepAlive: true,
    application_name: 'gammawall',
    // Counts are numbers as in SQLite: as texts they would be joined where they are added.
    types: {
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        type === BIGINT ? Number : types.getTypeParser(type, format)
    }
  }
}

/**
 * A connection that is closed once a statement was not answered in time. It would answer that statement first, whenever
 * that is, so each later one would wait for it.
 */
class ImpatientClient extends Client {
  // @ts-expect-error One signature stands for the overloads.
  override query(...call: readonly unknown[]): unknown {
    // @ts-expect-error As above.
    const answer = super.query(...call) as unknown
    if (answer instanceof Promise) {
      answer.catch((error: Error) => {
        if (error.message === 'Query read timeout') void this.end()
      })
    }
    return answer
  }
}

/** Connections to a server. A statement fails that waits for one, or runs, for longer than `patience` milliseconds. */
export function poolAt(address: string, patience = PATIENCE, connections = CONNECTIONS): Pool {
  const pool = new Pool({ ...connectionTo(address, patience), max: connections, Client: ImpatientClient as never })
  // A connection that ends is told to the statement that it runs, if any; the next one opens another.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
