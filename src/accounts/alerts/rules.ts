import { type Instant, isoInstant } from '../../market/units.ts'
import type { AlertRow } from '../accounts-schema.ts'
import type { Database } from '../database.ts'
import type { AlertRule, Condition, Repeat, RuleState, Side } from './rule.ts'

/** Alert rules of all users. To change several rules at once, callers wrap the calls in the database's `durably`. */
export class AlertRules {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  ofUser(userId: string): AlertRule[] {
    return this.#database.rows(this.#select().where('user_id', '=', userId)).map(ruleOf)
  }

  /** The user's rule with this id; undefined if the rule belongs to another user or does not exist. */
  find(userId: string, id: string): AlertRule | undefined {
    const row = this.#database.rows(this.#select().where('user_id', '=', userId).where('id', '=', id))[0]
    return row && ruleOf(row)
  }

  armed(): AlertRule[] {
    return this.#database.rows(this.#select().where('state', '=', 'armed')).map(ruleOf)
  }

  counts(): ReadonlyMap<RuleState, number> {
    const { build } = this.#database
    const count = build.fn.countAll<number>().as('count')
    const rows = this.#database.rows(build.selectFrom('alerts').select(['state', count]).groupBy('state'))
    return new Map(rows.map((row) => [row.state as RuleState, row.count]))
  }

  add(rule: AlertRule): void {
    this.#database.run(this.#database.build.insertInto('alerts').values(rowOf(rule)))
  }

  /** Writes every field of a rule; returns false if the rule no longer exists. */
  update(rule: AlertRule): boolean {
    const { id, user_id: _, ...fields } = rowOf(rule)
    return this.#database.run(this.#database.build.updateTable('alerts').set(fields).where('id', '=', id)) > 0
  }

  /** Writes the result of evaluating an armed rule; returns false if the rule is no longer armed. */
  progress(rule: AlertRule): boolean {
    const { id, state, side, reference, last_value, last_value_at, last_fired_at, fired_count } = rowOf(rule)
    const fields = { state, side, reference, last_value, last_value_at, last_fired_at, fired_count }
    const update = this.#database.build.updateTable('alerts').set(fields)
    return this.#database.run(update.where('id', '=', id).where('state', '=', 'armed')) > 0
  }

  remove(id: string): void {
    const { build } = this.#database
    this.#database.run(build.deleteFrom('alert_firings').where('alert_id', '=', id))
    this.#database.run(build.deleteFrom('alerts').where('id', '=', id))
  }

  #select() {
    return this.#database.build.selectFrom('alerts').selectAll().orderBy('created_at').orderBy('id')
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
    fired_count: rule.firedCount
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
    firedCount: row.fired_count
  }
}
