/** License terms that an operator must read before serving Tradier's data to others. */
export const tradierTerms =
  "Market data of a Tradier brokerage account, for the account holder's own use. Showing it to others, or figures made " +
  'from it, needs agreements with the exchanges.'
