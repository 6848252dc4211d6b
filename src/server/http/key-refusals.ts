import { type ApiError, apiError } from '../../api/error.ts'
import type { AddressLimit } from './address-limit.ts'
import { clientAddress, type Sender } from './client-address.ts'

/** How often an address may be told that its key is wrong or missing. */
export const keyRefusalRate = { burst: 20, perMinute: 20 } as const

/**
 * Counts the refusals of wrong and missing keys by address: keys cannot be tried without end, and a client that has lost
 * its key does not keep the service busy. Good keys of the same address are not looked at; one that comes forgives what
 * was counted, so that a slip of one user behind a shared address does not stay with the others.
 */
export class KeyRefusals {
  readonly #limit: AddressLimit
  readonly #trustProxy: boolean

  constructor(limit: AddressLimit, trustProxy: boolean) {
    this.#limit = limit
    this.#trustProxy = trustProxy
  }

  /** What to send as a refusal: itself, or too_many_requests in the place of one 401 too many. */
  limited(refusal: ApiError, sender: Sender): ApiError {
    if (refusal.status !== 401) return refusal
    const seconds = this.#limit.take(clientAddress(sender, this.#trustProxy))
    if (seconds === 0) return refusal
    const message = `too many requests with a wrong key or none from this address; try again in ${seconds} s`
    return apiError('too_many_requests', message, {}, seconds)
  }

  /** A good key came from the sender's address. */
  forgive(sender: Sender): void {
    if (this.#limit.isUnused) return
    this.#limit.forgive(clientAddress(sender, this.#trustProxy))
  }
}
