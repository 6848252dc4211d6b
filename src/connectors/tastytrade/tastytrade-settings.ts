/** License terms that an operator must read before serving tastytrade's data to others. */
export const tastytradeTerms =
  "Market data of a tastytrade account, streamed by dxFeed, for the customer's own account. It may not be redistributed, " +
  'nor may figures made from it without an agreement.'
