import type { Endpoint } from '../api/endpoint.ts'
import { alertRoutes } from '../server/alerts/alert-routes.ts'
import { type ApiOperation, operationOf, operationOfRoute } from '../server/mcp/api-operation.ts'

/** Words of the tool `alerts` for routes of alerts, and the reason of those that no assistant is offered. */
export const alertViews: Readonly<Record<string, { readonly view: string } | { readonly leftOut: string }>> = {
  listAlerts: { view: 'list' },
  listAlertEvents: { view: 'events' },
  getAlert: { view: 'one' },
  createAlert: { view: 'create' },
  changeAlert: { view: 'change' },
  removeAlert: { view: 'remove' },
  testAlert: { leftOut: 'sends a message to an address outside' },
  rotateAlertSecret: { leftOut: 'its answer is a secret' },
  listBrowsers: { leftOut: 'browsers are devices of people' },
  addBrowser: { leftOut: 'a browser adds itself' },
  removeBrowser: { leftOut: 'browsers are devices of people' },
  testBrowser: { leftOut: 'sends a message to an address outside' }
}

/** A webhook is a way out of the service, and its answer a secret: people set it, assistants do not. */
const withheld = ['webhook']

/** Operations that assistants are offered: all endpoints, the alerts of the caller, and with `writes` changing them. */
export function assistantOperations(
  endpoints: readonly Endpoint[],
  { writes }: { readonly writes: boolean }
): readonly ApiOperation[] {
  const ofAlerts = alertRoutes.flatMap((route) => {
    const named = alertViews[route.operationId]
    return named !== undefined && 'view' in named ? [operationOfRoute(route, named.view, withheld)] : []
  })
  return [...endpoints.map(operationOf), ...ofAlerts.filter((operation) => writes || !operation.writes)]
}
