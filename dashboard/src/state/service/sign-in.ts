import { signal } from '@preact/signals'

/** Whether the reader is known to the service: the first refusal closes the door, a good key opens it. */
export const door = signal<'open' | 'closed'>('open')

/** Why the last key was not taken, in words. */
export const doorTrouble = signal<string>()

/**
 * Gives a key for a session: from then on the cookie speaks for the reader and the page forgets the key. Answers whether
 * the service took it.
 */
export async function signIn(key: string): Promise<boolean> {
  doorTrouble.value = undefined
  try {
    const { ok, status } = await fetch('/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key })
    })
    if (ok) door.value = 'open'
    else if (status === 429) doorTrouble.value = 'Too many attempts from this address: try again in a minute.'
    else if (status === 401) doorTrouble.value = 'The service does not know this key, or it was revoked.'
    else doorTrouble.value = `The service answers with status ${status}.`
    return ok
  } catch {
    doorTrouble.value = 'The service does not answer.'
    return false
  }
}

export async function signOut(): Promise<void> {
  await fetch('/session', { method: 'DELETE' })
  door.value = 'closed'
}
