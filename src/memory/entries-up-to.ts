/**
 * Bound of an `LRUCache` to so many entries, each of size 1. Given `max` instead, it allocates the memory of all entries at
 * once: those of a service took 30 ms of CPU time at its start, and as many in each thread.
 */
export const entriesUpTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
