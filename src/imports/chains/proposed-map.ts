import { type Line, textOf } from '../tables/csv-line.ts'
import type { ChainField } from './chain-table.ts'

/** Names that files give to a field, in lower case with letters only. The first that a heading has counts. */
const namesOf: Readonly<Partial<Record<ChainField, readonly string[]>>> = {
  symbol: ['symbol', 'underlyingsymbol', 'underlying', 'ticker', 'actsymbol', 'stock', 'und'],
  occ: ['occ', 'occsymbol', 'contractsymbol', 'optionsymbol', 'contractid', 'contract', 'osi', 'optionticker'],
  root: ['root', 'optionroot', 'rootsymbol', 'series'],
  date: [
    'date',
    'quotedate',
    'tradedate',
    'quotedatetime',
    'quotedt',
    'datadate',
    'asof',
    'timestamp',
    'datetime',
    'day',
    'tsrecv'
  ],
  time: ['time', 'quotetime', 'quotetimestamp'],
  expiration: [
    'expiration',
    'expirationdate',
    'expiry',
    'expirydate',
    'expiredate',
    'expdate',
    'exdate',
    'maturity',
    'expires',
    'exp'
  ],
  strike: ['strike', 'strikeprice', 'strikepx', 'k', 'x'],
  right: [
    'right',
    'optiontype',
    'callput',
    'putcall',
    'cp',
    'cpflag',
    'type',
    'side',
    'pc',
    'callputflag',
    'putcallflag'
  ],
  bid: ['bid', 'bidprice', 'bestbid', 'bidpx', 'closebid'],
  ask: ['ask', 'askprice', 'bestask', 'bestoffer', 'offer', 'askpx', 'closeask'],
  last: ['last', 'lastprice', 'lasttradeprice', 'lastsale', 'close'],
  bid_size: ['bidsize', 'bidsz', 'bidqty'],
  ask_size: ['asksize', 'asksz', 'askqty', 'offersize'],
  volume: ['volume', 'vol', 'tradevolume', 'totalvolume'],
  open_interest: ['openinterest', 'oi', 'openint', 'opnint'],
  underlying_price: [
    'underlyingprice',
    'underlyinglast',
    'spot',
    'spotprice',
    'stockprice',
    'undprice',
    's',
    'stkpx',
    'underlyingclose'
  ]
}

/**
 * A column map for a heading that is not known, by what its columns are called: `quote_dt=date,cp=right`. Undefined if
 * it would fill no contract.
 */
export function proposedMap(heading: Line): string | undefined {
  const names = Array.from({ length: heading.count }, (_, column) => textOf(heading, column))
  const taken = new Set<string>()
  const pairs: string[] = []
  for (const [field, known] of Object.entries(namesOf)) {
    const name = columnFor(
      names.filter((each) => !taken.has(each)),
      known
    )
    if (name === undefined) continue
    taken.add(name)
    pairs.push(`${name}=${field}`)
  }
  const fills = (field: string) => pairs.some((pair) => pair.endsWith(`=${field}`))
  return fills('occ') || (fills('strike') && fills('expiration')) ? pairs.join(',') : undefined
}

function columnFor(names: readonly string[], known: readonly string[]): string | undefined {
  const letters = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '')
  const usable = names.filter((name) => name !== '' && !/[,="]/.test(name))
  for (const alias of known) {
    const same = usable.find((name) => letters(name) === alias)
    if (same !== undefined) return same
  }
  const long = known.filter((alias) => alias.length >= 4)
  return usable.find((name) => long.some((alias) => isNear(letters(name), alias)))
}

/** Whether two words differ by one letter at most, or one begins with the other. */
function isNear(a: string, b: string): boolean {
  if (a.length < 4) return false
  if (a.startsWith(b) || b.startsWith(a)) return Math.abs(a.length - b.length) <= 4
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.length - short.length > 1) return false
  const at = [...short].findIndex((letter, k) => letter !== long[k])
  if (at < 0) return true
  return short.slice(at + (short.length === long.length ? 1 : 0)) === long.slice(at + 1)
}
