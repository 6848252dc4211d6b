/** Words that tell nothing about a question. */
const empty = new Set(
  'a an and are as at be by can do does for from get give had has have how i in is it its me my now of on or please should show so tell than that the their there they this to today was we what when where which who why will with would you your'.split(
    ' '
  )
)

/** Other words that traders use for the same thing: both then count. Written as `searchWords` leaves them. */
const alike: Readonly<Record<string, string>> = {
  iv: 'impli volatil',
  hv: 'realiz volatil',
  rv: 'realiz volatil',
  vol: 'volatil',
  vols: 'volatil',
  oi: 'open interest',
  gex: 'gamma exposur',
  dex: 'delta exposur',
  vex: 'vanna exposur',
  chex: 'charm exposur',
  vrp: 'volatil risk premium',
  '0dte': 'zero dte same day expir',
  zerodte: 'zero dte same day expir',
  pnl: 'profit loss',
  mm: 'dealer',
  maker: 'dealer',
  resistanc: 'call wall',
  support: 'put wall',
  pric: 'quot',
  ohlc: 'bar',
  candl: 'bar',
  histor: 'past',
  earn: 'report',
  tick: 'print',
  trad: 'print',
  spread: 'liquid',
  bullish: 'intent',
  bearish: 'intent',
  crush: 'fall',
  pinn: 'pin',
  ticker: 'symbol',
  stock: 'underl'
}

/** Words of a text with their weight: endings are cut, and other words for the same thing count half. */
export function searchWords(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const spelled = text
    .toLowerCase()
    .replace(/([a-z])-(?=[a-z])/g, '$1 ')
    .replace(/maxpain/g, 'max pain')
  for (const [raw] of spelled.matchAll(/[a-z0-9]+/g)) {
    if (empty.has(raw) || /^\d+$/.test(raw)) continue
    const word = stem(raw)
    found.set(word, 1)
    const other = [raw, word].find((one) => Object.hasOwn(alike, one))
    for (const each of other === undefined ? [] : alike[other].split(' ')) if (!found.has(each)) found.set(each, 0.5)
  }
  return found
}

/** A word without the endings that change with its use. */
function stem(word: string): string {
  if (word.length <= 3) return word
  const bare = word.replace(/(ies)$/, 'y').replace(/(ations?|ing|ed|es|s)$/, '')
  const kept = bare.length >= 3 ? bare : word
  return kept.replace(/(iled|e|y)$/, (end) => (kept.length - end.length >= 3 ? '' : end))
}
