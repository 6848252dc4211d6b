import type { WorkerScope } from './scope.ts'

/** Paths of the files that make the page, and a name for this set of them; the build fills both in. */
declare const SHELL: { readonly name: string; readonly paths: readonly string[] }

/**
 * Keeps the files of the page, so that it opens without a connection and says so. The page itself is asked of the service
 * first: what a newer release brings replaces what is kept at the next load. Answers with figures are never looked at.
 */
export function keepShell(scope: WorkerScope): void {
  const kept = `shell-${SHELL.name}`
  scope.addEventListener('install', (event) => {
    const load = async () => {
      await (await scope.caches.open(kept)).addAll(SHELL.paths)
      await scope.skipWaiting()
    }
    event.waitUntil(load())
  })
  scope.addEventListener('activate', (event) => {
    const replace = async () => {
      const others = (await scope.caches.keys()).filter((name) => name.startsWith('shell-') && name !== kept)
      for (const name of others) await scope.caches.delete(name)
      await scope.clients.claim()
    }
    event.waitUntil(replace())
  })
  scope.addEventListener('fetch', (event) => {
    const { request } = event
    const { origin, pathname, search } = new URL(request.url)
    if (request.method !== 'GET' || origin !== scope.location.origin || !SHELL.paths.includes(pathname)) return
    // To open the cache would make it anew after the page has removed it.
    const stored = () => scope.caches.match(pathname, { cacheName: kept })
    // The names of assets change with what is in them. An icon may change without a release, as that of a brand.
    if (pathname.startsWith('/assets/')) event.respondWith(stored().then((found) => found ?? fetch(request)))
    else if (pathname !== '/' || (request.mode === 'navigate' && search === ''))
      event.respondWith(fetched(request, stored))
  })
}

/** The answer of the service or, while it cannot be reached, what is kept. */
async function fetched(request: Request, stored: () => Promise<Response | undefined>): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const found = await stored()
    if (found === undefined) throw error
    return found
  }
}
