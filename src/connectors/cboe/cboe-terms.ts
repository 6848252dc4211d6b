/** Terms that an operator must know before passing this data on to others. */
export const cboeTerms =
  'Public delayed quotes of Cboe Global Markets, offered for personal use. Showing or passing them on to others, as ' +
  'they are or as figures made from them, needs an agreement with the exchange.'
