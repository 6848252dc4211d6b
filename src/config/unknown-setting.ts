import { nearest } from '../api/nearest.ts'

/**
 * The sentence about a setting that does not exist, with the one it is most like. `typed` and `names` begin with `prefix`
 * (`--` or `GAMMAWALL_`), which says nothing about how like they are.
 */
export function unknownSetting(typed: string, prefix: string, names: readonly string[]): string {
  const bare = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : name)
  const [near] = nearest(bare(typed), names.map(bare), 1)
  return `${typed} is an unknown setting${near === undefined ? '' : `: did you mean ${prefix}${near}?`}`
}
