const versions = new WeakMap<object, number>()
let newest = 0

/** A number for an object, unique in this process; equal numbers mean the same object. */
export function versionOf(snapshot: object): number {
  let version = versions.get(snapshot)
  if (version === undefined) versions.set(snapshot, (version = ++newest))
  return version
}
