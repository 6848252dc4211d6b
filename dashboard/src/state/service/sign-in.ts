import { signal } from '@preact/signals'
import { brand } from '../page/brand.ts'
import { forgetClosing } from '../page/closing.ts'
import { visitor } from './visitor.ts'

/** Whether the service accepts requests of this page. */
export const isSignedIn = signal(visitor.signed_in)

/**
 * Token of an embedded panel, sent instead of the session cookie; empty until the page around gives one that works.
 * Undefined on pages of the dashboard itself.
 */
export const embedToken = signal<string>()

/** Why the last attempt to sign in failed, as a sentence. */
export const signInTrouble = signal(brand.trouble)

/**
 * Exchanges a key for a session cookie; the page does not keep the key. Returns whether the service accepted it: the page is
 * then loaded anew, for the plan of that key.
 */
export async function signIn(key: string): Promise<boolean> {
  signInTrouble.value = undefined
  try {
    const { ok, status } = await fetch('/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key })
    })
    if (ok) location.reload()
    else if (status === 429) signInTrouble.value = 'Too many attempts from this address: try again in a minute.'
    else if (status === 401) signInTrouble.value = 'The service does not know this key, or it was revoked.'
    else signInTrouble.value = `The service answers with status ${status}.`
    return ok
  } catch {
    signInTrouble.value = 'The service does not respond.'
    return false
  }
}

/** Signs this browser out, or all browsers of the user. */
export async function signOut(everywhere: boolean): Promise<void> {
  await fetch(`/session?everywhere=${everywhere}`, { method: 'DELETE' })
  forgetClosing()
  isSignedIn.value = false
}
