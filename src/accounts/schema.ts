import type { Compilable, Kysely } from 'kysely'

// Instants are ISO 8601 UTC texts, days yyyy-MM-dd: they sort, compare and read the same in SQLite and PostgreSQL.

export interface UserRow {
  id: string
  email: string
  plan: string
  subscribed_on: string
  created_at: string
}

export interface KeyRow {
  id: string
  user_id: string
  /** SHA-256 of the key, hex. The key itself is kept nowhere. */
  hash: string
  /** Last four characters of the key, for people to tell keys apart. */
  hint: string
  name: string
  created_at: string
  revoked_at: string | null
  /** The first moment at which it does not work any more; null: it does not end. */
  ends_at: string | null
  /** What it may do beyond the plan of its user: a KeyRole. */
  role: string
}

/** Requests of one user on one UTC day. It outlives its user, so that a late write of a count never fails. */
export interface UsageRow {
  user_id: string
  day: string
  count: number
}

/** The streaming bundle of a user. */
export interface BundleRow {
  id: string
  user_id: string
  blocks: number
  /** The first moment without it. */
  ends_at: string | null
  granted_at: string
}

export interface AuditRow {
  id: string
  at: string
  actor: string
  action: string
  target: string
  /** JSON. */
  detail: string
}

export interface Tables {
  users: UserRow
  keys: KeyRow
  usage: UsageRow
  bundles: BundleRow
  audit: AuditRow
}

/** Each entry takes the schema one version up. Entries are never edited once released, only added. */
export const migrations: readonly ((schema: Kysely<Tables>['schema']) => Compilable[])[] = [
  (schema) => [
    schema
      .createTable('users')
      .addColumn('id', 'varchar(36)', (column) => column.primaryKey())
      .addColumn('email', 'varchar(254)', (column) => column.notNull().unique())
      .addColumn('plan', 'varchar(32)', (column) => column.notNull())
      .addColumn('subscribed_on', 'varchar(10)', (column) => column.notNull())
      .addColumn('created_at', 'varchar(24)', (column) => column.notNull()),
    schema
      .createTable('keys')
      .addColumn('id', 'varchar(36)', (column) => column.primaryKey())
      .addColumn('user_id', 'varchar(36)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('hash', 'varchar(64)', (column) => column.notNull().unique())
      .addColumn('hint', 'varchar(4)', (column) => column.notNull())
      .addColumn('name', 'varchar(100)', (column) => column.notNull())
      .addColumn('created_at', 'varchar(24)', (column) => column.notNull())
      .addColumn('revoked_at', 'varchar(24)'),
    schema.createIndex('keys_user').on('keys').column('user_id'),
    schema
      .createTable('usage')
      .addColumn('user_id', 'varchar(36)', (column) => column.notNull())
      .addColumn('day', 'varchar(10)', (column) => column.notNull())
      .addColumn('count', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_of_day', ['user_id', 'day']),
    schema
      .createTable('audit')
      .addColumn('id', 'varchar(36)', (column) => column.primaryKey())
      .addColumn('at', 'varchar(24)', (column) => column.notNull())
      .addColumn('actor', 'varchar(100)', (column) => column.notNull())
      .addColumn('action', 'varchar(40)', (column) => column.notNull())
      .addColumn('target', 'varchar(300)', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
  ],
  (schema) => [
    schema
      .createTable('bundles')
      .addColumn('id', 'varchar(36)', (column) => column.primaryKey())
      .addColumn('user_id', 'varchar(36)', (column) =>
        column.notNull().unique().references('users.id').onDelete('cascade')
      )
      .addColumn('blocks', 'integer', (column) => column.notNull())
      .addColumn('ends_at', 'varchar(24)')
      .addColumn('granted_at', 'varchar(24)', (column) => column.notNull())
  ],
  (schema) => [
    schema.alterTable('keys').addColumn('ends_at', 'varchar(24)'),
    schema.alterTable('keys').addColumn('role', 'varchar(16)', (column) => column.notNull().defaultTo('user'))
  ]
]
