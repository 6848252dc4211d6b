import type { FastifyInstance } from 'fastify'

const states = ['Healthy', 'Degraded', 'Unhealthy'] as const
export type HealthState = (typeof states)[number]

/** Details about a part of the service for operators: figures and sentences by name, or a list of such records. */
export type HealthDetails = Readonly<
  Record<string, string | number | Readonly<Record<string, number>> | readonly Readonly<Record<string, string>>[]>
>

export interface HealthReport {
  readonly status: HealthState
  /** Absent or empty details are left out of the response. */
  readonly details?: HealthDetails | undefined
}

export interface HealthCheck {
  readonly name: string
  readonly check: () => HealthState | HealthReport | Promise<HealthState | HealthReport>
}

/**
 * Adds GET /health, which shows the state of every part of the service and the worst of them as the overall state. It
 * needs no key and counts against no quota. A part counts as unhealthy if its check throws. A check that takes longer
 * than a second makes it degraded, since the machine may only be slow; one that hangs for a minute makes it unhealthy.
 */
export function mountHealth(app: FastifyInstance, checks: readonly HealthCheck[]): void {
  const runs = checks.map(checkRunner)
  app.get('/health', async (_request, reply) => {
    const startedAt = performance.now()
    const results = await Promise.all(runs.map((run) => run()))
    const status = results.map((result) => result.status).reduce(worse, 'Healthy')
    reply.code(status === 'Unhealthy' ? 503 : 200).header('cache-control', 'no-store')
    return { status, duration: milliseconds(startedAt), checks: results }
  })
}

/** How long a request waits for a check, and after which time without an answer the part counts as unhealthy, milliseconds. */
const MAX_WAIT = 1000
const MAX_SILENCE = 60_000

/** Returns a function that runs a check. Requests during a run share it, so a check that hangs is not started again. */
function checkRunner({ name, check }: HealthCheck) {
  let running: { readonly report: Promise<HealthState | HealthReport>; readonly since: number } | undefined
  const begin = () => {
    const report = (async () => check())().catch((): HealthState => 'Unhealthy')
    running = { report: report.finally(() => (running = undefined)), since: performance.now() }
    return running
  }
  return async () => {
    const startedAt = performance.now()
    const { report, since } = running ?? begin()
    let timer: NodeJS.Timeout | undefined
    const unanswered = new Promise<HealthReport>((resolve) => {
      timer = setTimeout(() => resolve(silent(performance.now() - since)), MAX_WAIT).unref()
    })
    const found = await Promise.race([report, unanswered])
    clearTimeout(timer)
    const { status, details = {} }: HealthReport = typeof found === 'string' ? { status: found } : found
    const shown = Object.keys(details).length === 0 ? {} : { details }
    return { name, status, duration: milliseconds(startedAt), ...shown }
  }
}

function silent(elapsed: number): HealthReport {
  const details = { reason: 'its check has not ended yet', seconds: Math.round(elapsed / 1000) }
  return { status: elapsed < MAX_SILENCE ? 'Degraded' : 'Unhealthy', details }
}

const worse = (a: HealthState, b: HealthState) => (states.indexOf(a) >= states.indexOf(b) ? a : b)
const milliseconds = (since: number) => Math.round((performance.now() - since) * 1000) / 1000
