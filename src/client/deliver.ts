/** Calls a listener. What it throws is reported as an uncaught error, and keeps no other listener from being called. */
export function deliver<Event>(listener: (event: Event) => void, event: Event): void {
  try {
    listener(event)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
