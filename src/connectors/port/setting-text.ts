import { existsSync } from 'node:fs'

// Each function parses the text of a setting; undefined means that the setting does not accept the text.

/** Accepts whole numbers from `least` to `most` in plain decimal: no hexadecimal, no leading zero. */
export function parseWholeNumber(least: number, most: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN
    return Number.isSafeInteger(value) && value >= least && value <= most ? value : undefined
  }
}

/** An http or https address. A trailing slash is removed, so that a path can be appended. */
export function readAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return undefined
  return text.replace(/\/+$/, '')
}

export function readSocket(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^wss?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return undefined
  return text.replace(/\/+$/, '')
}

/** An address to which an API key may be sent: https, or http on this machine. */
export function readPrivateAddress(text: string): string | undefined {
  return isPrivate(text, 'https:', 'http:') ? text.replace(/\/+$/, '') : undefined
}

/** A WebSocket address to which an API key may be sent: wss, or ws on this machine. */
export function readPrivateSocket(text: string): string | undefined {
  return isPrivate(text, 'wss:', 'ws:') ? text.replace(/\/+$/, '') : undefined
}

function isPrivate(text: string, sealed: string, open: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    return false
  return url.protocol === sealed || (url.protocol === open && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname))
}

/** An API key: 1 to 200 printable ASCII characters without blanks. */
export function readKey(text: string): string | undefined {
  return /^[\x21-\x7e]{1,200}$/.test(text) ? text : undefined
}

export function existingPath(text: string): string | undefined {
  return existsSync(text) ? text : undefined
}
