import { signal } from '@preact/signals'
import { runningWorker } from '../page/worker.ts'
import { send } from '../service/send.ts'
import { attempt, forgetOutcome, tested } from './alerts-state.ts'

/** Whether this browser is told of what fires while no page is open, and why it cannot be. */
export type Told = 'on' | 'off' | 'blocked' | 'insecure' | 'unsupported'

/** Undefined until it is known. */
export const told = signal<Told>()

/** The id under which the service knows this browser. */
const KEPT = 'told-browser'
const keptId = () => localStorage.getItem(KEPT)

interface Listed {
  readonly public_key: string
  readonly browsers: readonly { readonly id: string }[]
}

const PATH = '/v1/alerts/browsers'

/** Finds out whether this browser is told. */
export async function lookUpTold(): Promise<void> {
  if (!isSecureContext) told.value = 'insecure'
  else if (!('PushManager' in globalThis) || !('Notification' in globalThis)) told.value = 'unsupported'
  else if (Notification.permission === 'denied') told.value = 'blocked'
  else {
    const subscribed = await (await runningWorker())?.pushManager.getSubscription()
    const isKnown = async () => {
      const { browsers } = (await send('GET', PATH)) as Listed
      return browsers.some(({ id }) => id === keptId())
    }
    told.value = 'off'
    if (subscribed && keptId() !== null) {
      await attempt(async () => {
        told.value = (await isKnown()) ? 'on' : 'off'
      })
    }
  }
}

/** Asks the reader and subscribes this browser. */
export async function beTold(): Promise<void> {
  forgetOutcome()
  if ((await Notification.requestPermission()) !== 'granted') {
    told.value = Notification.permission === 'denied' ? 'blocked' : 'off'
    return
  }
  await attempt(async () => {
    const manager = (await runningWorker())?.pushManager
    if (manager === undefined) {
      told.value = 'unsupported'
      return
    }
    const { public_key: applicationServerKey } = (await send('GET', PATH)) as Listed
    // A subscription with another key, as of a service before, cannot be used.
    await (await manager.getSubscription())?.unsubscribe()
    const subscription = await subscribed(manager, applicationServerKey)
    if (subscription === undefined) return
    const { id } = (await send('POST', PATH, subscription)) as { readonly id: string }
    localStorage.setItem(KEPT, id)
    told.value = 'on'
  })
}

async function subscribed(manager: PushManager, applicationServerKey: string) {
  try {
    const { endpoint, keys } = (await manager.subscribe({ userVisibleOnly: true, applicationServerKey })).toJSON()
    return { endpoint, keys }
  } catch {
    tested.value = 'The browser could not reach its push service: try again later.'
    return undefined
  }
}

/** Ends it for this browser, or for all of the user, at the service first. */
export async function beToldNoMore(everywhere = false): Promise<void> {
  forgetOutcome()
  const id = keptId()
  if (everywhere) {
    await attempt(async () => {
      const { browsers } = (await send('GET', PATH)) as Listed
      for (const each of browsers) await send('DELETE', `${PATH}/${each.id}`)
    })
  } else if (id !== null) await attempt(() => send('DELETE', `${PATH}/${id}`))
  if (id === null) return
  localStorage.removeItem(KEPT)
  told.value = 'off'
  await (await (await runningWorker())?.pushManager.getSubscription())?.unsubscribe()
}

/** Has the service send a test to this browser. */
export async function testTold(): Promise<void> {
  forgetOutcome()
  await attempt(async () => {
    const { delivered, failure } = (await send('POST', `${PATH}/${keptId()}/test`, {})) as {
      readonly delivered: boolean
      readonly failure: string | null
    }
    tested.value = delivered
      ? 'A test is on its way to this browser.'
      : `The push service did not take a test: ${failure}.`
  })
}
