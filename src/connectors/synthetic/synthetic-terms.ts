/** Terms that an operator must know before passing this data on to others. */
export const syntheticTerms =
  'Made-up data: no price in it was ever quoted by anyone. Serve it freely and trade on none of it.'

/** Interest rate of the synthetic market for every tenor: annual fraction, continuously compounded. */
export const RATE = 0.045
