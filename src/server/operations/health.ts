import type { FastifyInstance } from 'fastify'

const states = ['Healthy', 'Degraded', 'Unhealthy'] as const
export type HealthState = (typeof states)[number]

/** A state, and why where it is not the best. Everybody may read the reason: it names no path. */
export interface ExplainedState {
  readonly status: HealthState
  readonly reason: string | undefined
}

/** One component's own judgement of itself. */
export interface HealthCheck {
  readonly name: string
  readonly check: () => HealthState | ExplainedState | Promise<HealthState | ExplainedState>
}

/**
 * GET /health: the state of every component, the worst of them on top. No key, no quota. A component that throws, or
 * does not answer within a second, is unhealthy.
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
  let found: HealthState | ExplainedState
  try {
    found = await Promise.race([check(), unanswered])
  } catch {
    found = 'Unhealthy'
  }
  clearTimeout(timer)
  const { status, reason } = typeof found === 'string' ? { status: found, reason: undefined } : found
  return { name, status, duration: milliseconds(startedAt), reason } // JSON leaves out what is undefined
}

const worse = (a: HealthState, b: HealthState) => (states.indexOf(a) >= states.indexOf(b) ? a : b)
const milliseconds = (since: number) => Math.round((performance.now() - since) * 1000) / 1000
