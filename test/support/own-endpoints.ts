/**
 * Ids of endpoints that the published contract does not have. The tests beside the contract refuse any other endpoint that it
 * lacks, so that none is served by mistake.
 */
export const ownEndpoints: ReadonlySet<string> = new Set([
  'bars.current',
  'exposure.changes',
  'exposure.higher',
  'flow.hedge_flow'
])
