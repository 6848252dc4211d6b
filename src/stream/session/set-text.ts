import type { SharedSet } from '../../accounts/stream-sharing.ts'
import type { MetricParams } from '../../api/stream-frames.ts'
import type { Instant } from '../../market/units.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { resolveMetric } from '../catalog/metric-id.ts'
import { queryOf } from '../catalog/query.ts'
import type { SavedSubscription, SubscriptionSettings } from '../delivery/stream-subscription.ts'
import { CommandError } from '../protocol/command-error.ts'
import type { SavedSet } from './bundle-usage.ts'

/** Subscriptions of a connection. */
export type HeldSubscriptions = Omit<SavedSet, 'token' | 'expiresAt'>

/** A subscription as other services read it. */
interface WrittenSubscription extends SubscriptionSettings {
  readonly id: string
  readonly symbol: string
  readonly metric: string
  readonly params: MetricParams
  readonly createdAt: Instant
}

/** The subscriptions of a connection, as any service of the same database can read them. */
export function setText(token: string, bundleId: string, { saved, cost, lastId }: HeldSubscriptions): SharedSet {
  const written = saved.map(
    ({ id, resolved, query, createdAt, cadence, onChange, echo }): WrittenSubscription => ({
      id,
      symbol: query.symbol,
      metric: resolved.id,
      params: query.params,
      createdAt,
      cadence,
      onChange,
      echo
    })
  )
  return { token, bundleId, cost, body: JSON.stringify({ lastId, saved: written }) }
}

/** Reads a set; subscriptions that a service of another version wrote and this one does not know are left out. */
export function readSet(body: string, catalog: Catalog): HeldSubscriptions {
  const { lastId, saved } = JSON.parse(body) as {
    readonly lastId: number
    readonly saved: readonly WrittenSubscription[]
  }
  const known = saved.flatMap(({ metric, symbol, params, ...settings }): SavedSubscription[] => {
    const resolved = resolveMetric(catalog, metric)
    if (resolved instanceof CommandError) return []
    const query = queryOf(resolved.operation, symbol, params)
    return query instanceof CommandError ? [] : [{ ...settings, resolved, query }]
  })
  return { lastId, saved: known, cost: known.reduce((sum, { resolved }) => sum + resolved.field.cost, 0) }
}
