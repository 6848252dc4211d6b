const versions = new WeakMap<object, number>()
let newest = 0

/** The number of an object, unique in this process: values made from two objects are compared by it. */
export function versionOf(snapshot: object): number {
  let version = versions.get(snapshot)
  if (version === undefined) versions.set(snapshot, (version = ++newest))
  return version
}
