/** The parts of a service worker's scope that are used here. TypeScript has them in a library that excludes that of pages. */
export interface WorkerScope {
  readonly caches: CacheStorage
  readonly location: Location
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { readonly type: 'window'; readonly includeUncontrolled: true }): Promise<readonly WindowClient[]>
    openWindow(address: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener<Name extends keyof WorkerEvents>(name: Name, listener: (event: WorkerEvents[Name]) => void): void
}

interface WorkerEvents {
  readonly install: Extendable
  readonly activate: Extendable
  readonly fetch: Extendable & { readonly request: Request; respondWith(response: Promise<Response>): void }
  readonly push: Extendable & { readonly data: { json(): unknown } | null }
  readonly notificationclick: Extendable & { readonly notification: Notification }
}

interface Extendable {
  waitUntil(work: Promise<unknown>): void
}

export interface WindowClient {
  readonly url: string
  focus(): Promise<unknown>
  navigate(address: string): Promise<unknown>
}
