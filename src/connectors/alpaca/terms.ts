const use =
  "Market data of an Alpaca account, for the subscriber's own use. Showing it to others, or figures made from it, needs an " +
  'agreement with Alpaca and the exchanges.'

/** What an operator must know before serving this data to others, by the feed of options. */
export const terms = {
  indicative: `${use} Quotes of the indicative feed are made up near the market and are no quotes of an exchange.`,
  opra: use
} as const
