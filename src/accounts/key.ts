import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

// A key is gw_live_<32 random characters><6 characters of checksum>. The checksum lets a mistyped or invented key be
// refused without a database query, and lets secret scanners recognise a key.

export const KEY_PREFIX = 'gw_live_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32 // 190 bits
const CHECKSUM_LENGTH = 6 // 62^6 exceeds 2^32, so a CRC-32 fits

export const KEY_LENGTH = KEY_PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH

/** Creates a key from the system's random source. The key is shown once; only its hash is stored. */
export function newKey(): string {
  let body = KEY_PREFIX
  for (let i = 0; i < RANDOM_LENGTH; i++) body += ALPHABET[randomInt(ALPHABET.length)]
  return body + checksum(body)
}

/** Whether a text has the form and checksum of a key, whether or not such a key was ever issued. */
export function isWellFormed(key: string): boolean {
  if (key.length !== KEY_LENGTH || !key.startsWith(KEY_PREFIX)) return false
  const end = KEY_LENGTH - CHECKSUM_LENGTH
  return /^[0-9A-Za-z]+$/.test(key.slice(KEY_PREFIX.length, end)) && key.slice(end) === checksum(key.slice(0, end))
}

/**
 * SHA-256 of a key, hex. A plain hash is enough for 190 random bits: there is no dictionary to try, and the timing of a
 * lookup reveals nothing about the key.
 */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex')
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = ALPHABET[rest % ALPHABET.length] + text
    rest = Math.floor(rest / ALPHABET.length)
  }
  return text
}
