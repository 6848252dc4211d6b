import type { HeaderList } from './headers.ts'
import { maskKeys } from './key-mask.ts'

/** Names that are listed, and how much of each. */
const MAX_NAMES = 20
const MAX_NAME_LENGTH = 40

const none: HeaderList = []

/** The header that lists the parameters of a request that nobody reads; no header where every one is read. */
export function ignoredHeaders(names: readonly string[]): HeaderList {
  if (names.length === 0) return none
  const listed = names.slice(0, MAX_NAMES).map(asToken)
  if (names.length > MAX_NAMES) listed.push('...')
  return ['x-ignored-parameters', listed.join(', ')]
}

/** A name as a header can carry it: printable ASCII without a comma, short, and without a key. */
function asToken(name: string): string {
  const plain = maskKeys(name).replace(/[^\w.~[\]-]/g, '?')
  return plain.length > MAX_NAME_LENGTH ? `${plain.slice(0, MAX_NAME_LENGTH)}...` : plain
}
