/** Features that are off by default. Until an operator enables one, its endpoints return the error coming_soon. */
export const features = ['exposure-history'] as const
export type Feature = (typeof features)[number]
