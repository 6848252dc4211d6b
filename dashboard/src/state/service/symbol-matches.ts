/** The most symbols that the field offers. */
export const MOST_MATCHES = 8

/**
 * Symbols that fit what was typed, the best first: the symbol itself, those that begin with it, those that contain it;
 * within each the shorter ones first.
 */
export function symbolMatches(typed: string, symbols: readonly string[]): readonly string[] {
  const wanted = typed.trim().toUpperCase()
  if (wanted === '') return []
  const rank = (symbol: string) => (symbol === wanted ? 0 : symbol.startsWith(wanted) ? 1 : 2)
  return symbols
    .filter((symbol) => symbol.includes(wanted))
    .sort((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1))
    .slice(0, MOST_MATCHES)
}
