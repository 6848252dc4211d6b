/** Contracts a kernel carries through its stages at a time: the scratch columns stay in the first-level cache. */
export const BLOCK = 256

/** The part of a kernel's work that is under way: `count` contracts from `from` on. */
export interface Block {
  from: number
  count: number
}

/**
 * Takes the contracts from `start` to `end` block by block through the stages of a kernel.
 *
 * A stage is one short loop over the block. They are called through a list, which V8 never merges into one function, so
 * each has room for every formula it calls; a formula left as a call would put every number it returns on the heap.
 */
export function runStages<Work extends Block>(
  work: Work,
  start: number,
  end: number,
  stages: readonly ((work: Work) => void)[]
): void {
  for (let from = start; from < end; from += BLOCK) {
    work.from = from
    work.count = Math.min(BLOCK, end - from)
    for (let at = 0; at < stages.length; at++) stages[at](work)
  }
}
