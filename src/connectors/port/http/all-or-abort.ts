/** Waits for requests that belong together. When one of them fails, those still running are aborted. */
export async function allOrAbort<All extends readonly unknown[] | []>(
  signal: AbortSignal,
  begin: (either: AbortSignal) => All
) {
  const failed = new AbortController()
  try {
    return await Promise.all(begin(AbortSignal.any([signal, failed.signal])))
  } catch (error) {
    failed.abort(error)
    throw error
  }
}
