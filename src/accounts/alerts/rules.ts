import { type Instant, isoInstant } from '../../market/units.ts'
import type { AlertRow } from '../accounts-schema.ts'
import type { Changes, Database, Queries } from '../database.ts'
import type { AlertRule, Condition, Repeat, RuleState, Side } from './rule.ts'

/** Alert rules of all users. Changes belong to a transaction, which may change several rules at once. */
export class AlertRules {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async ofUser(userId: string, read?: Queries): Promise<AlertRule[]> {
    return (await this.#select(read).where('user_id', '=', userId).execute()).map(ruleOf)
  }

  /** The user's rule with this id; undefined if the rule belongs to another user or does not exist. */
  async find(userId: string, id: string, read?: Queries): Promise<AlertRule | undefined> {
    const row = await this.#select(read).where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()
    return row && ruleOf(row)
  }

  /** Rules with these ids, whatever their state. */
  async withIds(ids: readonly string[]): Promise<AlertRule[]> {
    return ids.length === 0 ? [] : (await this.#select().where('id', 'in', ids).execute()).map(ruleOf)
  }

  async armed(): Promise<AlertRule[]> {
    return (await this.#select().where('state', '=', 'armed').execute()).map(ruleOf)
  }

  async counts(read: Queries = this.#database.read): Promise<ReadonlyMap<RuleState, number>> {
    const count = read.fn.countAll<number>().as('count')
    const rows = await read.selectFrom('alerts').select(['state', count]).groupBy('state').execute()
    return new Map(rows.map((row) => [row.state as RuleState, row.count]))
  }

  async add(rule: AlertRule, tx: Changes): Promise<void> {
    await tx.insertInto('alerts').values(rowOf(rule)).execute()
  }

  /** Writes every field of a rule that is still there, as its next version. */
  async update(rule: AlertRule, tx: Changes): Promise<AlertRule> {
    const next = { ...rule, version: rule.version + 1 }
    const { id, user_id: _, ...fields } = rowOf(next)
    await tx.updateTable('alerts').set(fields).where('id', '=', id).execute()
    return next
  }

  /**
   * Writes the result of evaluating an armed rule, as its next version. Undefined if the rule is no longer armed, or no
   * longer the version that was evaluated: another service evaluated it first, or its owner changed it.
   */
  async progress(rule: AlertRule, tx: Changes): Promise<AlertRule | undefined> {
    const next = { ...rule, version: rule.version + 1 }
    const { id, state, paused_because, side, reference, last_value, last_value_at, last_fired_at, fired_count } =
      rowOf(next)
    const fields = { state, paused_because, side, reference, last_value, last_value_at, last_fired_at, fired_count }
    const update = tx
      .updateTable('alerts')
      .set({ ...fields, version: next.version })
      .where('id', '=', id)
    const written = await update.where('state', '=', 'armed').where('version', '=', rule.version).executeTakeFirst()
    return written.numUpdatedRows > 0n ? next : undefined
  }

  /** Writes the newest value of a rule, on which no evaluation depends. */
  async show(rule: AlertRule, tx: Changes): Promise<void> {
    const { id, last_value, last_value_at } = rowOf(rule)
    await tx.updateTable('alerts').set({ last_value, last_value_at }).where('id', '=', id).execute()
  }

  async remove(id: string, tx: Changes): Promise<void> {
    await tx.deleteFrom('alert_firings').where('alert_id', '=', id).execute()
    await tx.deleteFrom('alerts').where('id', '=', id).execute()
  }

  #select(read: Queries = this.#database.read) {
    return read.selectFrom('alerts').selectAll().orderBy('created_at').orderBy('id')
  }
}

const textOf = (at: Instant | undefined) => (at === undefined ? null : isoInstant(at))
const instantOf = (text: string | null) => (text === null ? undefined : Date.parse(text))

function rowOf(rule: AlertRule): AlertRow {
  const { value, memory } = rule
  return {
    id: rule.id,
    user_id: rule.userId,
    symbol: rule.symbol,
    metric: rule.metric,
    params: JSON.stringify(rule.params),
    condition: rule.condition,
    value: typeof value === 'number' ? value : null,
    other: typeof value === 'number' ? null : JSON.stringify(value),
    repeat: rule.repeat,
    note: rule.note ?? null,
    webhook_id: rule.webhookId ?? null,
    state: rule.state,
    paused_because: rule.pausedBecause ?? null,
    created_at: isoInstant(rule.createdAt),
    side: memory.side ?? null,
    reference: memory.reference ?? null,
    last_value: rule.lastValue ?? null,
    last_value_at: textOf(rule.lastValueAt),
    last_fired_at: textOf(rule.lastFiredAt),
    fired_count: rule.firedCount,
    version: rule.version
  }
}

/** Converts a row to a rule. The casts are safe because `rowOf` wrote the texts and JSON. */
function ruleOf(row: AlertRow): AlertRule {
  return {
    id: row.id,
    userId: row.user_id,
    symbol: row.symbol,
    metric: row.metric,
    params: JSON.parse(row.params),
    condition: row.condition as Condition,
    value: row.value ?? JSON.parse(row.other!),
    repeat: row.repeat as Repeat,
    note: row.note ?? undefined,
    webhookId: row.webhook_id ?? undefined,
    state: row.state as RuleState,
    pausedBecause: row.paused_because ?? undefined,
    createdAt: Date.parse(row.created_at),
    memory: { side: (row.side ?? undefined) as Side | undefined, reference: row.reference ?? undefined },
    lastValue: row.last_value ?? undefined,
    lastValueAt: instantOf(row.last_value_at),
    lastFiredAt: instantOf(row.last_fired_at),
    firedCount: row.fired_count,
    version: row.version
  }
}
