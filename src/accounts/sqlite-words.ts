import { type SchemaWords, statement } from './accounts-schema.ts'
import { CLOSED } from './storage-error.ts'

const events = ['insert', 'update', 'delete'] as const

/** How SQLite writes what PostgreSQL writes otherwise. */
export const sqliteWords: SchemaWords = {
  numbered: (column) => column.primaryKey().autoIncrement(),
  trigger: (name, event, table, action) => [
    statement(`CREATE TRIGGER ${name} AFTER ${event} ON ${table} BEGIN ${action}; END`)
  ],
  changeLog: () => [],
  sharing: () => [],
  streams: () => [],
  fill: () => ({ before: [], after: [] }),
  close: (table) =>
    events.map((event) =>
      statement(
        `CREATE TRIGGER IF NOT EXISTS closed_${table}_${event} BEFORE ${event} ON ${table}
         BEGIN SELECT RAISE(ABORT, '${CLOSED}'); END`
      )
    ),
  reopen: (table) => events.map((event) => statement(`DROP TRIGGER IF EXISTS closed_${table}_${event}`))
}
