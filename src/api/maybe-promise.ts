import type { MaybePromise } from './source.ts'

/** Goes on at once where a value is at hand, so that an answer from memory never waits. */
export function andThen<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** An object of things to come, with the values in their places: at once where every one is at hand. */
export function allResolved<Values extends object>(
  found: {
    readonly [Name in keyof Values]: MaybePromise<Values[Name]>
  }
): MaybePromise<Values> {
  const values: unknown[] = Object.values(found)
  if (!values.some((value) => value instanceof Promise)) return found as Values
  const names = Object.keys(found)
  return Promise.all(values).then((all) => Object.fromEntries(all.map((value, k) => [names[k], value])) as Values)
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
