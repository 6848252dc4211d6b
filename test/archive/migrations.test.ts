import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { schemaMigrations } from '../../src/archive/clickhouse/schema/migrations.ts'
import {
  addColumns,
  createTable,
  createView,
  replaceView,
  singleServer
} from '../../src/archive/clickhouse/schema/statements.ts'

/**
 * SHA-256 of the statements of each released migration, its first 16 digits. Archives were made by these, so they never change:
 * a new column of chains says in `added` which migration adds it, anything else is a migration of its own with a line here.
 */
const released = [
  '7d15fd6ed996fdba',
  'a98b06f47abcd8b6',
  'bca869263e21292a',
  'e62f55162ed6929a',
  'f801b9a9243b7e04',
  '29c73bd0d30d3098',
  '5f81604200e473b8',
  'eef39244bd74e9ca'
]

test('released migrations never change, and every new one is entered here', () => {
  const digests = schemaMigrations.map(({ tables, columns = [], views, replacedViews = [] }) => {
    const statements = [
      ...tables.map((table) => createTable(table, singleServer)),
      ...columns.map((added) => addColumns(added, singleServer)),
      ...views.map((view) => createView(view, singleServer)),
      ...replacedViews.map((view) => replaceView(view, singleServer))
    ]
    return createHash('sha256').update(statements.join(';\n')).digest('hex').slice(0, 16)
  })
  expect(digests).toEqual(released)
  expect(schemaMigrations.map(({ version }) => version)).toEqual(released.map((_, k) => k + 1))
})
