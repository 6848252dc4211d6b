const results = new WeakMap<object, Map<string, unknown>>()

/** Computes once per snapshot and name: a hundred answers over one chain share every expensive step. */
export function memo<Value>(snapshot: object, name: string, compute: () => Value): Value {
  let known = results.get(snapshot)
  if (known === undefined) results.set(snapshot, (known = new Map()))
  if (!known.has(name)) known.set(name, compute())
  return known.get(name) as Value
}
