/** What an assistant is told once about all tools: at most 1 KB. */
export function instructionsFor({ isPast }: { readonly isPast: boolean }): string {
  const moment = isPast
    ? 'This host answers about past moments: at is needed in every call.'
    : 'Any tool that takes at answers about a past moment as it was known then: compare days by asking twice.'
  return `gammawall measures options: dealer exposure, levels, flow, volatility. Not sure which view? find, then call it.
Answers: data, units by path, nulls with reasons, as_of, age_s, stale, quality (0 to 100), source. Always quote as_of; say so if stale is true, quality is below 60 or source is synthetic (made-up data).
brief shows the ten rows that matter; more says what was cut. part picks a field (strikes[640], totals), rows and from_row page through lists, detail=full shows more.
${moment}
Exposures rest on an assumption about who holds the options: exposure explain, models and bands say how far it carries. A null is an answer: never invent a figure or a level. Gamma exposure is USD for a 1 % move. Symbols are tickers; expiration is yyyy-MM-dd or 0dte. Nothing here is advice.`
}
