/**
 * Hash of a text: a whole number from 0 to 2^32 - 1. Texts that differ in one letter get very different numbers, so
 * keys are distributed evenly. Not for secrets.
 * Method: FNV-1a, then the finalizer of MurmurHash3.
 */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
