import { setFlagsFromString } from 'node:v8'

/**
 * Limits how far the heap of every thread grows beyond the objects that live in it before it is collected, percent. V8
 * lets a heap grow up to fourfold on a machine with much memory. Must be called before threads start.
 */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}
