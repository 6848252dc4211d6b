/** Whether two plain values say the same. For small values that are compared now and then. */
export const areEqualByContent = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
