const versions = new WeakMap<object, number>()
let newest = 0

/** A number that belongs to this snapshot object alone, so that what was made from it can be told apart cheaply. */
export function versionOf(snapshot: object): number {
  let version = versions.get(snapshot)
  if (version === undefined) versions.set(snapshot, (version = ++newest))
  return version
}
