/** What an operator must know before serving this data to others. */
export const terms =
  'Market data of ThetaData, for the subscriber alone. Passing it on, as it is or as figures made from it, needs a ' +
  'contract with the vendor and the exchanges.'
