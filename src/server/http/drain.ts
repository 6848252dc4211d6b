import { setTimeout as pause } from 'node:timers/promises'
import type { OpenConnections } from './open-connections.ts'

/** Between two looks for connections that have become idle, milliseconds. */
const LOOK_EVERY = 500

/**
 * The first part of a stop: the service says that it is no longer ready and goes on answering, so that a balancer takes
 * it out of service before its listeners close. Every answer from then on is the last of its connection.
 */
export class Drain {
  #begun = false
  readonly #hosts: OpenConnections[] = []

  /** Whether it has begun: readiness is over. */
  get begun(): boolean {
    return this.#begun
  }

  add(connections: OpenConnections): void {
    this.#hosts.push(connections)
  }

  /** Begins, and resolves once so many seconds are over. */
  async run(seconds: number): Promise<void> {
    this.#begun = true
    for (const host of this.#hosts) host.closeAfterAnswers()
    for (let left = seconds * 1000; left > 0; left -= LOOK_EVERY) {
      for (const host of this.#hosts) host.endIdle()
      await pause(Math.min(LOOK_EVERY, left))
    }
  }
}
