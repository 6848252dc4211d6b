/** Calls a listener. What it throws is its author's to hear of, and no reason to keep others from what is theirs. */
export function deliver<Told>(listener: (told: Told) => void, told: Told): void {
  try {
    listener(told)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
