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
 * needs no key and counts against no quota. A part counts as unhealthy if its check throws or takes longer than a
 * second.
 */
export function mountHealth(app: FastifyInstance, checks: readonly HealthCheck[]): void {
  app.get('/health', async (_request, reply) => {
    const startedAt = performance.now()
    const results = await Promise.all(checks.map(run))
    const status = results.map((result) => result.status).reduce(worse, 'Healthy')
    reply.code(status === 'Unhealthy' ? 503 : 200).header('cache-control', 'no-store')
    return { status, duration: milliseconds(startedAt), checks: results }
  })
}

async function run({ name, check }: HealthCheck) {
  const startedAt = performance.now()
  let timer: NodeJS.Timeout | undefined
  const unanswered = new Promise<HealthState>((resolve) => {
    timer = setTimeout(() => resolve('Unhealthy'), 1000).unref()
  })
  let found: HealthState | HealthReport
  try {
    found = await Promise.race([check(), unanswered])
  } catch {
    found = 'Unhealthy'
  }
  clearTimeout(timer)
  const { status, details = {} }: HealthReport = typeof found === 'string' ? { status: found } : found
  const shown = Object.keys(details).length === 0 ? {} : { details }
  return { name, status, duration: milliseconds(startedAt), ...shown }
}

const worse = (a: HealthState, b: HealthState) => (states.indexOf(a) >= states.indexOf(b) ? a : b)
const milliseconds = (since: number) => Math.round((performance.now() - since) * 1000) / 1000
