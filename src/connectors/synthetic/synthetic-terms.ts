/** What an operator must know before serving this data to others. */
export const syntheticTerms =
  'Made-up data: no price in it was ever quoted by anyone. Serve it freely and trade on none of it.'

/** What money costs in the synthetic market: continuously compounded, an annual fraction, for every tenor. */
export const RATE = 0.045
