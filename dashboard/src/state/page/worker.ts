/** Browsers have workers on secure pages only: HTTPS or this machine. */
const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined

/** Whether the service wants no worker in browsers; it says so in its page. */
const isUnwanted = document.body.dataset['worker'] === 'off'

/** Registers the worker of the page, or removes it with all it keeps. */
export async function followWorker(): Promise<void> {
  if (workers === undefined) return
  try {
    if (!isUnwanted) {
      await workers.register('/worker.js', { updateViaCache: 'none' })
      return
    }
    for (const each of await workers.getRegistrations()) await each.unregister()
    for (const name of await caches.keys()) if (name.startsWith('shell-')) await caches.delete(name)
  } catch {
    // A browser that lets no page keep anything shows the page all the same.
  }
}

/** The worker of the page once it runs; undefined if the browser or the service has none. */
export async function runningWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (workers === undefined || isUnwanted || (await workers.getRegistration()) === undefined) return undefined
  return workers.ready
}
