/** What money costs in the synthetic market: continuously compounded, an annual fraction, for every tenor. */
export const RATE = 0.045
