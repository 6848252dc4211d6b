import { existsSync } from 'node:fs'

// Each reads the text of a setting; undefined means that the text is not what the setting takes.

/** A whole number from `least` to `most`, as a person writes it: no hexadecimal, no leading zero. */
export function wholeNumber(least: number, most: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN
    return Number.isSafeInteger(value) && value >= least && value <= most ? value : undefined
  }
}

/** An http or https address without its last slash, so that a path can be put behind it. */
export function readAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return undefined
  return text.replace(/\/+$/, '')
}

/** The same for a WebSocket over which no key is sent: ws or wss. */
export function readSocket(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^wss?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return undefined
  return text.replace(/\/+$/, '')
}

/** An address as `readAddress` reads it, over which a key may be sent: https, or http of this machine. */
export function readPrivateAddress(text: string): string | undefined {
  return isPrivate(text, 'https:', 'http:') ? text.replace(/\/+$/, '') : undefined
}

/** The same for a WebSocket: wss, or ws of this machine. */
export function readPrivateSocket(text: string): string | undefined {
  return isPrivate(text, 'wss:', 'ws:') ? text.replace(/\/+$/, '') : undefined
}

function isPrivate(text: string, sealed: string, open: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    return false
  return url.protocol === sealed || (url.protocol === open && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname))
}

/** A key as vendors give them out: one word of printable characters, at most 200. */
export function readKey(text: string): string | undefined {
  return /^[\x21-\x7e]{1,200}$/.test(text) ? text : undefined
}

/** The path of a folder or file that exists. */
export function existingPath(text: string): string | undefined {
  return existsSync(text) ? text : undefined
}
