/**
 * Options of Ajv for schemas against which few answers are checked. Code that is neither optimized nor inlined refuses the same
 * and compiles in half the time, which is most of what a schema costs here.
 */
export const usedOnce = { strict: false, code: { optimize: false }, inlineRefs: false } as const
