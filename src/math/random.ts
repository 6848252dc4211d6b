/**
 * Randomness as a pure function: a number is drawn from a key and up to two counters, never from a stream, so any
 * moment of any symbol can be generated without what came before.
 */

/**
 * Scrambles a 32-bit number: any change of the input changes about half of the bits of the result. Source: Appleby,
 * MurmurHash3 (2011), fmix32.
 */
function mix(value: number): number {
  let h = value
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/** Derives a 32-bit key from a seed and a path of names. */
export function keyOf(seed: number, ...names: readonly string[]): number {
  let h = mix(mix(seed | 0) ^ Math.trunc(seed / 2 ** 32))
  for (const name of names) {
    for (let i = 0; i < name.length; i++) h = mix(h + Math.imul(name.charCodeAt(i) + 1, 0x9e3779b1))
    h = mix(h ^ 0x2545f491)
  }
  return h
}

/** Draws 32 random bits from a key and two counters. */
export function bitsOf(key: number, i: number, j = 0): number {
  return mix(mix(key + Math.imul(i, 0x9e3779b1)) ^ Math.imul(j + 0x51ed270b, 0x27d4eb2f))
}

/** Draws a number uniformly between 0 and 1, neither included, from a key and two counters. */
export function uniform(key: number, i: number, j = 0): number {
  return ((bitsOf(key, i, j) >>> 0) + 0.5) / 2 ** 32
}

/** Draws a standard normal number from a key and two counters. Source: Box and Muller (1958), the cosine half. */
export function gaussian(key: number, i: number, j = 0): number {
  const bits = bitsOf(key, i, j)
  const radius = Math.sqrt(-2 * Math.log(((bits >>> 0) + 0.5) / 2 ** 32))
  return radius * Math.cos((2 * Math.PI * (mix(bits ^ 0x68e31da4) >>> 0)) / 2 ** 32)
}

/** A random curve, evaluated at x. It joins standard normal draws at whole x, limited to -2 to 2, by straight lines. */
export function drift(key: number, x: number): number {
  const from = Math.floor(x)
  const share = x - from
  const near = cut(gaussian(key, from))
  return share === 0 ? near : near + share * (cut(gaussian(key, from + 1)) - near)
}

function cut(z: number): number {
  return Math.max(-2, Math.min(2, z))
}
