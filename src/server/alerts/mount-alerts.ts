import type { FastifyInstance } from 'fastify'
import type { Alerts } from '../../alerts/alerts.ts'
import { mountOwnedRoutes, type OwnedHostOptions, type OwnedTerms, ownedPaths } from '../http/owned-routes.ts'
import { alertRoutes } from './alert-routes.ts'

const MINUTES_PER_DAY = 1440
/** Alerts that a user may make, as a multiple of those that the plan lets them have: so many at once, and a day. */
const NEW_ALERTS = 5

const terms: OwnedTerms = {
  noun: 'alerts',
  // A URL of 2,000 characters and two metrics with their parameters fit.
  maxBodyBytes: 16 * 1024,
  paces: {
    changes: () => ({ burst: 30, perMinute: 60 }),
    creations: ({ alerts }) => ({
      burst: NEW_ALERTS * alerts,
      perMinute: (NEW_ALERTS * alerts) / MINUTES_PER_DAY
    }),
    tests: () => ({ burst: 5, perMinute: 3 })
  }
}

/**
 * Adds the routes with which users manage their alerts. Requests count against the quota: an alert shows a figure that
 * another answer would have cost.
 */
export function mountAlerts(app: FastifyInstance, alerts: Alerts, options: OwnedHostOptions): void {
  mountOwnedRoutes(app, alertRoutes, alerts, { ...options, ...terms })
}

export const alertPaths = ownedPaths(alertRoutes, 'alerts')
