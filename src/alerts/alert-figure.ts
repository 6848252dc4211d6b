import type { MetricName } from '../accounts/alerts/rule.ts'
import { type ApiError, apiError, type ErrorCode } from '../api/error.ts'
import type { Entitlement } from '../api/plan.ts'
import type { IsoDate } from '../market/units.ts'
import type { Catalog } from '../stream/catalog/catalog.ts'
import { type ResolvedMetric, resolveMetric } from '../stream/catalog/metric-id.ts'
import { queryOf, readParams, type StreamQuery } from '../stream/catalog/query.ts'
import { openToBundles } from '../stream/delivery/hub.ts'
import { CommandError } from '../stream/protocol/command-error.ts'

/** A metric of a symbol, found in the stream's catalog. */
export interface AlertFigure {
  readonly resolved: ResolvedMetric
  readonly query: StreamQuery
  /** Parameters of the metric's endpoint, with today's defaults filled in. */
  readonly params: Readonly<Record<string, unknown>>
}

/** Finds a metric in the stream's catalog. Throws if the metric does not exist or is not a number. */
export function findFigure(
  catalog: Catalog,
  symbol: string,
  { metric, params }: MetricName,
  today: IsoDate
): AlertFigure {
  const resolved = found(resolveMetric(catalog, metric))
  if (resolved.field.valueType !== 'number') {
    throw apiError('invalid_metric', `${resolved.id} is no number`, { parameter: 'metric' })
  }
  const query = found(queryOf(resolved.operation, symbol, params))
  return { resolved, query, params: found(readParams(query, today)) }
}

/**
 * Entitlements with which the metric is computed. Every stream subscriber has them, whereas the REST API grants them by
 * plan.
 */
export function shownInFull({ query }: AlertFigure): readonly Entitlement[] {
  return query.operation.endpoint.varies.filter((entitlement) => openToBundles.includes(entitlement))
}

/** Converts a stream error to the matching REST error. */
export function refusalOf({ code, message }: CommandError): ApiError {
  const known: readonly [ErrorCode, string] =
    code === 'symbol_not_found'
      ? ['symbol_not_found', 'symbol']
      : code === 'invalid_params'
        ? ['invalid_parameter', 'params']
        : ['invalid_metric', 'metric']
  return apiError(known[0], message, { parameter: known[1] })
}

function found<Found>(result: Found | CommandError): Found {
  if (result instanceof CommandError) throw refusalOf(result)
  return result
}
