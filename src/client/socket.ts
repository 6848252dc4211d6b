/** The part of a WebSocket that the client uses. Browsers, Node 22 and the package ws have it. */
export interface Socket {
  send(text: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'open' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { readonly code: number; readonly reason: string }) => void): void
}

export type SocketConstructor = new (address: string) => Socket

/** The WebSocket of the platform. Node 20 has none: there the constructor of the package ws is handed in. */
export function platformSocket(): SocketConstructor {
  const { WebSocket } = globalThis as { readonly WebSocket?: SocketConstructor }
  if (WebSocket !== undefined) return WebSocket
  throw new Error('this platform has no WebSocket: give createClient one, such as that of the package ws')
}
