import {
  CROSS,
  EXTENDED,
  INTERMARKET_SWEEP,
  LATE,
  MULTI_LEG,
  SETS_NO_PRICE,
  STOCK_TIED,
  type TapeKind
} from './print.ts'

/** Meaning of each sale condition: flags of a print, or not a print at all. */
const meanings = {
  regular: 0,
  sweep: INTERMARKET_SWEEP,
  multi_leg: MULTI_LEG,
  stock_tied: STOCK_TIED,
  cross: CROSS,
  late: LATE,
  extended: EXTENDED,
  no_price: SETS_NO_PRICE,
  cancel: 'cancel',
  /** The row is not a print and is left out. */
  exclude: 'exclude'
} as const

export type SaleCondition = keyof typeof meanings
export const saleConditionWords = Object.keys(meanings) as readonly SaleCondition[]

/**
 * Meaning of all sale conditions of a row together: the flags of a print, a cancel, or `exclude` if it is not a print.
 */
export type SaleConditions = number | 'cancel' | 'exclude'

export function combinedConditions(words: Iterable<SaleCondition>): SaleConditions {
  let flags = 0
  let other: 'cancel' | 'exclude' | undefined
  for (const word of words) {
    const meaning = meanings[word]
    if (typeof meaning === 'number') flags |= meaning
    else if (other !== 'cancel') other = meaning
  }
  return other ?? flags
}

/**
 * Sale conditions of option prints, one meaning per line. The codes are the letters of OPRA, the numbers of Massive,
 * and the codes of Cboe DataShop and ThetaData; they do not overlap. Source: OPRA, Binary Data Recipient Specification,
 * trade message types; the tables of those vendors.
 */
const ofOptions: Readonly<Partial<Record<SaleCondition, string>>> = {
  regular: 'I J a e 209 210 227 231 0 13 18 21 35 125 129',
  sweep: 'S b 219 228 95 126',
  cross: 'c d 229 230 127 128',
  multi_leg: 'f g h i j l m t 232 233 234 235 236 238 239 246 106 130 131 132 133 134 136 137 144',
  stock_tied: 'k n o p q r s 237 240 241 242 243 244 245 135 138 139 140 141 142 143',
  late: 'B D F H 202 204 206 208 2 5 6',
  extended: 'v 248 148',
  cancel: 'A C E G 201 203 205 207 40 41 42 43 44',
  exclude: 'u 247 147'
}

/**
 * Sale conditions of stock prints, the letters of both consolidated tapes. Official prices of an exchange and corrected
 * prices are not trades. Source: CTA, Consolidated Tape System, and UTP, Trade Data Feed: sale conditions and what they
 * may update.
 */
const ofStocks: Readonly<Partial<Record<SaleCondition, string>>> = {
  regular: '0 @ A D E K O S Y 1 5 6',
  sweep: 'F',
  cross: 'X',
  late: 'G L Z',
  extended: 'T U',
  no_price: '4 7 B C H I N P R V W',
  exclude: '9 M Q'
}

/** Meanings of sale condition codes in feeds and tables. */
export const saleConditions: Readonly<Record<TapeKind, ReadonlyMap<string, SaleCondition>>> = {
  option: byCode(ofOptions),
  stock: byCode(ofStocks)
}

function byCode(codes: Readonly<Partial<Record<SaleCondition, string>>>): ReadonlyMap<string, SaleCondition> {
  return new Map(
    saleConditionWords.flatMap((word) => (codes[word] ?? '').split(' ').map((code) => [code, word] as const))
  )
}
