/** Parts of the interface that an operator may switch on; without that they answer coming_soon. */
export const features = ['exposure-history'] as const
export type Feature = (typeof features)[number]
