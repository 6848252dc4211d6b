import { type ColumnDefinitionBuilder, type Compilable, CompiledQuery, type Kysely } from 'kysely'

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
  /** SHA-256 of the key, hex. The key itself is not stored. */
  hash: string
  /** Last four characters of the key, so that people can tell keys apart. */
  hint: string
  name: string
  created_at: string
  revoked_at: string | null
  /** The first moment at which the key no longer works; null if the key has no end. */
  ends_at: string | null
  /** Rights of the key beyond the plan of its user: a KeyRole. */
  role: string
}

/** Requests of one user on one UTC day. A row outlives its user, so that a late write of a count never fails. */
export interface UsageRow {
  user_id: string
  day: string
  count: number
  /** How many of them were of embedded panels. */
  panel_count: number
}

export interface BundleRow {
  id: string
  user_id: string
  blocks: number
  /** The first moment at which the bundle has ended; null if the bundle has no end. */
  ends_at: string | null
  granted_at: string
}

export interface AuditRow {
  id: string
  at: string
  actor: string
  action: string
  target: string
  /** Details of the change, as JSON text. */
  detail: string
}

/** An alert rule about a metric of the stream, see `AlertRule`. */
export interface AlertRow {
  id: string
  user_id: string
  symbol: string
  metric: string
  /** Parameters of the metric, as JSON text. */
  params: string
  condition: string
  /** The number that the metric is compared with; null if it is compared with another metric. */
  value: number | null
  /** The metric to compare with and its parameters, JSON; null if the rule compares with a number. */
  other: string | null
  repeat: string
  note: string | null
  webhook_id: string | null
  state: string
  paused_because: string | null
  created_at: string
  /** State for the next evaluation, see `AlertMemory`. */
  side: string | null
  reference: number | null
  last_value: number | null
  last_value_at: string | null
  last_fired_at: string | null
  fired_count: number
  /** How often the rule was changed, or what an evaluation left of it. */
  version: number
}

export interface WebhookRow {
  id: string
  user_id: string
  url: string
  /** Signing secret in plain text: signing needs the secret itself, not a hash. */
  secret: string
  /** The replaced secret, which also signs for a day after `rotated_at`. */
  previous_secret: string | null
  rotated_at: string | null
  created_at: string
  /** The keys of a browser that gets firings by push, as JSON text; null for a webhook. */
  push_keys: string | null
}

export interface FiringRow {
  id: string
  /** The firing that this row brings to a browser; null for the firing itself. */
  copy_of: string | null
  alert_id: string
  user_id: string
  at: string
  /** JSON text of the message; every delivery attempt sends these bytes. */
  body: string
  webhook_id: string | null
  delivery: string
  attempts: number
  attempted_at: string | null
  next_attempt_at: string | null
  failure: string | null
  /** The service that sends the message, and until when no other does; null where there is one service alone. */
  claimed_by: string | null
  claimed_until: string | null
}

/** What a user keeps for the pages, see `UserDocument`. */
export interface DocumentRow {
  user_id: string
  kind: string
  id: string
  /** A JSON object, as text. */
  body: string
  changed_at: string
}

/** Who a user is for an identity provider, see `Identity`. */
export interface IdentityRow {
  issuer: string
  subject: string
  user_id: string
  /** The key whose account the browser sessions of this identity open; null before the first. */
  key_id: string | null
  created_at: string
}

/** The only row: the private key that names this service to push services, base64url in plain text. */
export interface PushKeyRow {
  id: number
  private_key: string
}

/** The only row of accounts that were copied from elsewhere, see `copyAccounts`. */
export interface CopyRow {
  /** Digest of what was copied, without counts of requests. */
  digest: string
  at: string
}

/** Tables whose rows are counted, so that a loss of accounts is noticed. */
export const countedTables = ['users', 'keys', 'alerts'] as const

/** The only row: how many durable changes there were, and how many rows the tables have. Triggers keep the counts. */
export interface RevisionRow {
  id: number
  number: number
  users: number
  keys: number
  alerts: number
}

/** A change of a key, or of the user or bundle that it belongs to. Triggers write it with the change itself. */
export interface ChangeRow {
  /** Consecutive numbers, none is used twice. */
  number: number
  user_id: string
  /** Null if the change is about the user or the bundle alone. */
  key_id: string | null
  key_hash: string | null
}

export interface Tables {
  users: UserRow
  keys: KeyRow
  usage: UsageRow
  revision: RevisionRow
  account_changes: ChangeRow
  bundles: BundleRow
  audit: AuditRow
  alerts: AlertRow
  alert_webhooks: WebhookRow
  alert_firings: FiringRow
  documents: DocumentRow
  identities: IdentityRow
  push_key: PushKeyRow
  copies: CopyRow
  /** Requests of other accounts that `usage` contains. */
  copied_usage: UsageRow
  roles: RoleRow
  secrets: SecretRow
  ended_sessions: EndedSessionRow
  spent_tickets: SpentTicketRow
}

/** A secret with which services sign, see `Secrets`. */
export interface SecretRow {
  number: number
  /** 32 bytes, base64url in plain text. */
  secret: string
  created_at: string
}

/** A browser session that was ended before it expired, or all of a user. */
export interface EndedSessionRow {
  id: string
  user_id: string
  /** The last beginning of the sessions that were ended; null for the one session with this id. */
  began_until: string | null
  expires_at: string
}

/** A ticket of the stream that was used. */
export interface SpentTicketRow {
  id: string
  expires_at: string
}

/** The service that alone does something for all, such as to ask the source; no row where that was never needed. */
export interface RoleRow {
  name: string
  /** Name of the service, see `Sharing`. */
  holder: string
  /** How often the holder has changed. */
  fence: number
  until: string
}

/** The parts of a schema that SQLite and PostgreSQL write differently. */
export interface SchemaWords {
  /** Makes a column the primary key whose values the database counts up, none used twice. */
  readonly numbered: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
  /** Statements after which `action` is run for each row of `table` that was inserted, updated or deleted. */
  readonly trigger: (name: string, event: 'insert' | 'update' | 'delete', table: string, action: string) => Compilable[]
  /** What the table of changes needs besides, once it is there. */
  readonly changeLog: () => Compilable[]
  /** Statements for services that use the database together, see `Sharing`. */
  readonly sharing: () => Compilable[]
  /** Statements for services that count streams together, see `StreamSharing`. */
  readonly streams: () => Compilable[]
  /** Statements around inserts of very many rows into `table`, which run its triggers only where that takes no longer. */
  readonly fill: (table: string) => { readonly before: Compilable[]; readonly after: Compilable[] }
  /** Statements after which every change of `table` fails with CLOSED. They may be repeated. */
  readonly close: (table: string) => Compilable[]
  /** Statements that undo those of `close`, if there were any. */
  readonly reopen: (table: string) => Compilable[]
}

type Migration = (schema: Kysely<Tables>['schema'], words: SchemaWords) => Compilable[]

/**
 * Migrations: each entry upgrades the schema by one version, of a file and of a PostgreSQL server alike. Released entries
 * are never edited; new ones are appended.
 */
export const accountMigrations: readonly Migration[] = [
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
  ],
  (schema) => [
    schema
      .createTable('alert_webhooks')
      .addColumn('id', 'varchar(36)', (column) => column.primaryKey())
      .addColumn('user_id', 'varchar(36)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('url', 'varchar(2000)', (column) => column.notNull())
      .addColumn('secret', 'varchar(100)', (column) => column.notNull())
      .addColumn('previous_secret', 'varchar(100)')
      .addColumn('rotated_at', 'varchar(24)')
      .addColumn('created_at', 'varchar(24)', (column) => column.notNull())
      .addUniqueConstraint('alert_webhooks_url', ['user_id', 'url']),
    schema
      .createTable('alerts')
      .addColumn('id', 'varchar(36)', (column) => column.primaryKey())
      .addColumn('user_id', 'varchar(36)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('symbol', 'varchar(20)', (column) => column.notNull())
      .addColumn('metric', 'varchar(200)', (column) => column.notNull())
      .addColumn('params', 'text', (column) => column.notNull())
      .addColumn('condition', 'varchar(16)', (column) => column.notNull())
      .addColumn('value', 'double precision')
      .addColumn('other', 'text')
      .addColumn('repeat', 'varchar(16)', (column) => column.notNull())
      .addColumn('note', 'varchar(200)')
      .addColumn('webhook_id', 'varchar(36)', (column) => column.references('alert_webhooks.id'))
      .addColumn('state', 'varchar(16)', (column) => column.notNull())
      .addColumn('paused_because', 'text')
      .addColumn('created_at', 'varchar(24)', (column) => column.notNull())
      .addColumn('side', 'varchar(8)')
      .addColumn('reference', 'double precision')
      .addColumn('last_value', 'double precision')
      .addColumn('last_value_at', 'varchar(24)')
      .addColumn('last_fired_at', 'varchar(24)')
      .addColumn('fired_count', 'integer', (column) => column.notNull()),
    schema.createIndex('alerts_user').on('alerts').column('user_id'),
    schema.createIndex('alerts_webhook').on('alerts').column('webhook_id'),
    schema
      .createTable('alert_firings')
      .addColumn('id', 'varchar(36)', (column) => column.primaryKey())
      .addColumn('alert_id', 'varchar(36)', (column) => column.notNull().references('alerts.id').onDelete('cascade'))
      .addColumn('user_id', 'varchar(36)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('at', 'varchar(24)', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('webhook_id', 'varchar(36)', (column) => column.references('alert_webhooks.id'))
      .addColumn('delivery', 'varchar(16)', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('attempted_at', 'varchar(24)')
      .addColumn('next_attempt_at', 'varchar(24)')
      .addColumn('failure', 'text'),
    schema.createIndex('alert_firings_user').on('alert_firings').columns(['user_id', 'at']),
    schema.createIndex('alert_firings_alert').on('alert_firings').columns(['alert_id', 'at']),
    schema.createIndex('alert_firings_due').on('alert_firings').columns(['delivery', 'next_attempt_at'])
  ],
  (schema) => [
    schema.alterTable('usage').addColumn('panel_count', 'integer', (column) => column.notNull().defaultTo(0))
  ],
  (schema) => [
    schema
      .createTable('revision')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('number', 'integer', (column) => column.notNull())
  ],
  (schema) => [
    schema.dropIndex('alert_firings_due'),
    schema
      .createIndex('alert_firings_waiting')
      .on('alert_firings')
      .columns(['delivery', 'webhook_id', 'next_attempt_at'])
  ],
  (schema, words) => [
    schema.createIndex('keys_hint').on('keys').column('hint'),
    ...countedTables.map((table) =>
      schema.alterTable('revision').addColumn(table, 'integer', (column) => column.notNull().defaultTo(0))
    ),
    statement('INSERT INTO revision (id, number) VALUES (1, 0) ON CONFLICT (id) DO NOTHING'),
    ...countedTables.flatMap((table) => [
      statement(`UPDATE revision SET ${table} = (SELECT count(*) FROM ${table})`),
      ...words.trigger(`count_${table}_insert`, 'insert', table, `UPDATE revision SET ${table} = ${table} + 1`),
      ...words.trigger(`count_${table}_delete`, 'delete', table, `UPDATE revision SET ${table} = ${table} - 1`)
    ]),
    schema
      .createTable('account_changes')
      .addColumn('number', 'integer', words.numbered)
      .addColumn('user_id', 'varchar(36)', (column) => column.notNull())
      .addColumn('key_id', 'varchar(36)')
      .addColumn('key_hash', 'varchar(64)'),
    ...words.trigger('log_keys_insert', 'insert', 'keys', logged('VALUES (NEW.user_id, NEW.id, NEW.hash)')),
    ...words.trigger('log_keys_update', 'update', 'keys', logged('VALUES (NEW.user_id, NEW.id, NEW.hash)')),
    ...words.trigger('log_keys_delete', 'delete', 'keys', logged('VALUES (OLD.user_id, OLD.id, OLD.hash)')),
    ...words.trigger(
      'log_users_update',
      'update',
      'users',
      logged('SELECT user_id, id, hash FROM keys WHERE user_id = NEW.id')
    ),
    ...words.trigger('log_bundles_insert', 'insert', 'bundles', logged('VALUES (NEW.user_id, NULL, NULL)')),
    ...words.trigger('log_bundles_update', 'update', 'bundles', logged('VALUES (NEW.user_id, NULL, NULL)')),
    ...words.trigger('log_bundles_delete', 'delete', 'bundles', logged('VALUES (OLD.user_id, NULL, NULL)')),
    ...words.changeLog()
  ],
  (schema) => [
    schema
      .createTable('documents')
      .addColumn('user_id', 'varchar(36)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('kind', 'varchar(16)', (column) => column.notNull())
      .addColumn('id', 'varchar(40)', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('changed_at', 'varchar(24)', (column) => column.notNull())
      .addPrimaryKeyConstraint('documents_name', ['user_id', 'kind', 'id'])
  ],
  (schema) => [
    schema
      .createTable('identities')
      .addColumn('issuer', 'varchar(500)', (column) => column.notNull())
      .addColumn('subject', 'varchar(255)', (column) => column.notNull())
      .addColumn('user_id', 'varchar(36)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('key_id', 'varchar(36)')
      .addColumn('created_at', 'varchar(24)', (column) => column.notNull())
      .addPrimaryKeyConstraint('identities_name', ['issuer', 'subject']),
    schema.createIndex('identities_user').on('identities').column('user_id')
  ],
  (schema, words) => [
    schema.alterTable('alerts').addColumn('version', 'integer', (column) => column.notNull().defaultTo(0)),
    schema.alterTable('alert_firings').addColumn('claimed_by', 'varchar(36)'),
    schema.alterTable('alert_firings').addColumn('claimed_until', 'varchar(24)'),
    ...words.sharing()
  ],
  (schema) => [
    schema.alterTable('alert_webhooks').addColumn('push_keys', 'varchar(200)'),
    schema.alterTable('alert_firings').addColumn('copy_of', 'varchar(36)'),
    schema
      .createTable('push_key')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('private_key', 'varchar(64)', (column) => column.notNull())
  ],
  (schema) => [
    schema
      .createTable('copies')
      .addColumn('digest', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('at', 'varchar(24)', (column) => column.notNull()),
    schema
      .createTable('copied_usage')
      .addColumn('user_id', 'varchar(36)', (column) => column.notNull())
      .addColumn('day', 'varchar(10)', (column) => column.notNull())
      .addColumn('count', 'integer', (column) => column.notNull())
      .addColumn('panel_count', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('copied_usage_of_day', ['user_id', 'day'])
  ],
  (schema) => [
    schema
      .createTable('roles')
      .addColumn('name', 'varchar(16)', (column) => column.primaryKey())
      .addColumn('holder', 'varchar(36)', (column) => column.notNull())
      .addColumn('fence', 'integer', (column) => column.notNull())
      .addColumn('until', 'varchar(24)', (column) => column.notNull())
  ],
  (_schema, words) => words.streams(),
  (schema, words) => [
    schema
      .createTable('secrets')
      .addColumn('number', 'integer', (column) => column.primaryKey())
      .addColumn('secret', 'varchar(64)', (column) => column.notNull())
      .addColumn('created_at', 'varchar(24)', (column) => column.notNull()),
    schema
      .createTable('ended_sessions')
      .addColumn('id', 'varchar(36)', (column) => column.primaryKey())
      .addColumn('user_id', 'varchar(36)', (column) => column.notNull())
      .addColumn('began_until', 'varchar(24)')
      .addColumn('expires_at', 'varchar(24)', (column) => column.notNull()),
    ...words.trigger('log_ended_sessions', 'insert', 'ended_sessions', logged('VALUES (NEW.user_id, NULL, NULL)')),
    schema
      .createTable('spent_tickets')
      .addColumn('id', 'varchar(36)', (column) => column.primaryKey())
      .addColumn('expires_at', 'varchar(24)', (column) => column.notNull())
  ]
]

/** A statement that the query builder has no words for. */
export function statement(sql: string): Compilable {
  return { compile: () => CompiledQuery.raw(sql) }
}

/** Statement that writes changes of accounts to their log. */
export const logged = (rows: string) => `INSERT INTO account_changes (user_id, key_id, key_hash) ${rows}`
