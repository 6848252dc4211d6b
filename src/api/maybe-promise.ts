/** A value at hand, or one that is awaited while it is loaded. */
export type MaybePromise<Value> = Value | Promise<Value>

/** Goes on at once where a value is at hand, so that an answer from memory never waits. */
export function andThen<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** What is found, with `end` called once it is, or once it has failed. */
export function endingWith<Value>(end: () => void, find: () => MaybePromise<Value>): MaybePromise<Value> {
  let found: MaybePromise<Value> | undefined
  try {
    found = find()
  } finally {
    if (!(found instanceof Promise)) end()
  }
  return found instanceof Promise ? found.finally(end) : found
}

/** A list of values, at once where every one of them is at hand. */
export function allInOrder<Value>(found: readonly MaybePromise<Value>[]): MaybePromise<readonly Value[]> {
  return found.some((value) => value instanceof Promise) ? Promise.all(found) : (found as readonly Value[])
}

/** An object of values, at once where every one of them is at hand. */
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

/** What is looked for, or undefined where it cannot be had now: for context, which an answer can do without. */
export function orUndefined<Value>(find: () => MaybePromise<Value>): MaybePromise<Value | undefined> {
  try {
    const found = find()
    return found instanceof Promise ? found.catch(() => undefined) : found
  } catch {
    return undefined
  }
}

/** What is looked for, its failure passed through `rename` where it cannot be had. */
export function failingAs<Value>(
  rename: (error: unknown) => unknown,
  find: () => MaybePromise<Value>
): MaybePromise<Value> {
  const fail = (error: unknown): never => {
    throw rename(error)
  }
  try {
    const found = find()
    return found instanceof Promise ? found.catch(fail) : found
  } catch (error) {
    return fail(error)
  }
}
