/** Features that are off by default; until an operator enables them, their endpoints return coming_soon. */
export const features = ['exposure-history'] as const
export type Feature = (typeof features)[number]
