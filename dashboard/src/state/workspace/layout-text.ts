import { type Layout, readLayout } from './layouts.ts'

/** A layout as text for an address: base64 of its JSON, in letters that need no encoding. */
export function sharedText(layout: Layout): string {
  const bytes = new TextEncoder().encode(JSON.stringify(layout))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** The layout of a text. Undefined if it is none. */
export function readShared(text: string): Layout | undefined {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0))
    return readLayout(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return undefined
  }
}
