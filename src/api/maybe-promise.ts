/** A value that is available now, or a promise of one that is loading. */
export type MaybePromise<Value> = Value | Promise<Value>

/**
 * Passes the value to a function: at once if it is available, else once it has loaded. Responses from memory therefore
 * never wait.
 */
export function andThen<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Calls `end` once the work of `find` has succeeded or failed. */
export function endingWith<Value>(end: () => void, find: () => MaybePromise<Value>): MaybePromise<Value> {
  let found: MaybePromise<Value> | undefined
  try {
    found = find()
  } finally {
    if (!(found instanceof Promise)) end()
  }
  return found instanceof Promise ? found.finally(end) : found
}

function allInOrder<Value>(found: readonly MaybePromise<Value>[]): MaybePromise<readonly Value[]> {
  return found.some((value) => value instanceof Promise) ? Promise.all(found) : (found as readonly Value[])
}

/** Resolves all promises among the values of an object. Returns at once if all values are available. */
export function allResolved<Values extends object>(
  found: {
    readonly [Name in keyof Values]: MaybePromise<Values[Name]>
  }
): MaybePromise<Values> {
  const names = Object.keys(found)
  return andThen(
    allInOrder<unknown>(Object.values(found)),
    (values) => Object.fromEntries(values.map((value, k) => [names[k], value])) as Values
  )
}

/** Returns the value that `find` finds, or undefined if `find` fails. For data that a response can do without. */
export function orUndefined<Value>(find: () => MaybePromise<Value>): MaybePromise<Value | undefined> {
  try {
    const found = find()
    return found instanceof Promise ? found.catch(() => undefined) : found
  } catch {
    return undefined
  }
}
