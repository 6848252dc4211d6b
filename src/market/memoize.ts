// Snapshots never change, so anything computed from one is computed once and kept as long as the snapshot, or until
// `forgetMeasures`: a hundred responses from one chain share every expensive step. Each memoized function has its own
// memory.

const memories: WeakMap<object, unknown>[] = []

/** Drops everything that was computed from a snapshot. It is computed again when it is needed. */
export function forgetMeasures(snapshot: object): void {
  for (const results of memories) results.delete(snapshot)
}

/** A boxed result, so that a stored `undefined` differs from an absent result. */
interface Entry<Value> {
  readonly value: Value
}

export function memoize<Snapshot extends object, Value>(
  compute: (snapshot: Snapshot) => Value
): (snapshot: Snapshot) => Value {
  const results = new WeakMap<Snapshot, Entry<Value>>()
  memories.push(results)
  return (snapshot) => {
    let entry = results.get(snapshot)
    if (entry === undefined) results.set(snapshot, (entry = { value: compute(snapshot) }))
    return entry.value
  }
}

/** Memoizes a function of a snapshot and a key. The results for all keys are kept. */
export function memoizeBy<Snapshot extends object, Key extends string | number, Value>(
  compute: (snapshot: Snapshot, key: Key) => Value
): (snapshot: Snapshot, key: Key) => Value {
  const resultsOf = memoize((_: Snapshot) => new Map<Key, Entry<Value>>())
  return (snapshot, key) => {
    const results = resultsOf(snapshot)
    let entry = results.get(key)
    if (entry === undefined) results.set(key, (entry = { value: compute(snapshot, key) }))
    return entry.value
  }
}

/** Like `memoizeBy`, but keeps only the results for the `most` keys that were asked for last. */
export function memoizeRecent<Snapshot extends object, Key extends string | number, Value>(
  most: number,
  compute: (snapshot: Snapshot, key: Key) => Value
): (snapshot: Snapshot, key: Key) => Value {
  const resultsOf = memoize((_: Snapshot) => new Map<Key, Entry<Value>>())
  return (snapshot, key) => {
    const results = resultsOf(snapshot)
    const entry = results.get(key) ?? { value: compute(snapshot, key) }
    results.delete(key)
    results.set(key, entry) // a map lists its keys in the order they were set, the oldest first
    if (results.size > most) results.delete(results.keys().next().value!)
    return entry.value
  }
}

/** Memoizes a function of two snapshots. A result is kept as long as both snapshots exist. */
export function memoizePair<First extends object, Second extends object, Value>(
  compute: (first: First, second: Second) => Value
): (first: First, second: Second) => Value {
  const resultsOf = memoize((_: First) => new WeakMap<Second, Entry<Value>>())
  return (first, second) => {
    const results = resultsOf(first)
    let entry = results.get(second)
    if (entry === undefined) results.set(second, (entry = { value: compute(first, second) }))
    return entry.value
  }
}

/** Returns a function that computes its value on the first call and keeps it. */
export function lazily<Value>(make: () => Value): () => Value {
  let entry: Entry<Value> | undefined
  return () => (entry ??= { value: make() }).value
}
