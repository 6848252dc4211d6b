import { setTimeout as pause } from 'node:timers/promises'
import type { Service } from '../test/support/started-service.ts'

// Requests that keep a service busy until it is killed, and the results that it acknowledged.

/** Answers that count against a quota: what was found, what was not, what could not be read. */
const questions = [
  ['/v1/exposure/levels/SPY', 200],
  ['/v1/account', 200],
  ['/v1/exposure/levels/ZZZZQX', 404],
  ['/v1/exposure/gex/SPY?expiration=2026-13-45', 400]
] as const

/** Requests at most, so that the quota of the Growth plan is never used up. */
const MAX_ASKED = 800
export const CONNECTIONS = 4

/** A user whose creation was acknowledged, with the keys that were. */
export interface Acknowledged {
  readonly email: string
  readonly id: string
  readonly keys: readonly string[]
  readonly hasBundle: boolean
}

export interface Load {
  /** When each counted answer had arrived, by `performance.now()`. */
  readonly arrivals: readonly number[]
  readonly users: readonly Acknowledged[]
  /** Answers that were none of those expected. */
  readonly faults: readonly string[]
  /** Takes note that the service is gone, and waits for the clients. */
  stop(): Promise<void>
}

/** Keeps a service busy: clients that ask with one key, and an operator who makes users, keys and bundles. */
export function underLoad(service: Service, key: string, name: string): Load {
  const arrivals: number[] = []
  const users: Acknowledged[] = []
  const faults: string[] = []
  let [asked, stopped] = [0, false]

  const client = async () => {
    while (!stopped && asked < MAX_ASKED) {
      const [path, expected] = questions[asked++ % questions.length]
      const { status } = await service.ask(path, key)
      if (status !== expected) faults.push(`${path}: ${status} where ${expected} is right`)
      arrivals.push(performance.now())
      await pause(10)
    }
  }
  const post = async (path: string, body: object, method = 'POST') => {
    const headers = { 'content-type': 'application/json' }
    const { status, json } = await service.ask(path, service.keys.enterprise, {
      method,
      headers,
      body: JSON.stringify(body)
    })
    if (status !== 200 && status !== 201) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`)
    return json as Readonly<Record<string, string>>
  }
  const operator = async () => {
    for (let k = 0; !stopped; k++) {
      const email = `${name}-${k}@example.com`
      const { id } = await post('/v1/admin/users', { email, plan: 'free' })
      const user = { email, id, keys: [] as string[], hasBundle: false }
      users.push(user)
      user.keys.push((await post(`/v1/admin/users/${id}/keys`, { name: 'first' }))['key'])
      await post(`/v1/admin/users/${id}/bundle`, { blocks: 1 }, 'PUT')
      user.hasBundle = true
      await pause(20)
    }
  }
  /** The connection that breaks at the kill is no fault; one that breaks before it is. */
  const untilKilled = (work: Promise<void>) =>
    work.catch((error: Error) => {
      if (!stopped) faults.push(error.message)
    })
  const running = [...Array.from({ length: CONNECTIONS }, client), operator()].map(untilKilled)
  return {
    arrivals,
    users,
    faults,
    async stop() {
      stopped = true
      await Promise.all(running)
    }
  }
}
