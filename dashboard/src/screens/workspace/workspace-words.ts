import type { Kind, Link } from '../../state/workspace/layouts.ts'

export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  chart: 'Chart',
  levels: 'Levels',
  today: 'Expiring today',
  hedging: 'Hedges if spot moves',
  expirations: 'Gamma by expiration',
  reading: 'Reading',
  matrix: 'Strike by expiration',
  pain: 'Max pain',
  smile: 'Smile',
  surface: 'Surface',
  terms: 'Term structure',
  skew: 'Skew',
  profile: 'Gamma profile'
}

export const LINK_NAMES: Readonly<Record<Link, string>> = {
  blue: 'Blue, as the page',
  green: 'Green, a second group',
  none: 'None, by itself'
}
