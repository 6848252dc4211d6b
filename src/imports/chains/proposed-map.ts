import { type Line, textOf } from '../tables/csv-line.ts'
import { isAbsent, numberIn } from '../tables/number-forms.ts'
import { isRight, optionNamed } from '../tables/row-contract.ts'
import { tableSymbol } from '../tables/table-fields.ts'
import type { TableSample } from '../tables/table-opening.ts'
import { stampIn } from '../tables/table-times.ts'
import type { Forms } from '../tables/written-forms.ts'
import type { ChainField } from './chain-table.ts'

/** Names that files give to a field, in lower case with letters only. The first that a heading has counts. */
const namesOf: Readonly<Partial<Record<ChainField, readonly string[]>>> = {
  symbol: ['symbol', 'underlyingsymbol', 'underlying', 'ticker', 'actsymbol', 'stock', 'und'],
  occ: [
    'occ',
    'occsymbol',
    'contractsymbol',
    'optionsymbol',
    'contractid',
    'contract',
    'osi',
    'optionticker',
    'option',
    'localsymbol',
    'optionid',
    'detailsticker'
  ],
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
    'tsrecv',
    'eoddate',
    'snapshotdate',
    'pulldate',
    'cdate',
    'bidtime',
    'ts',
    'time'
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
    'exp',
    'lasttradedateorcontractmonth'
  ],
  strike: ['strike', 'strikeprice', 'pricestrike', 'strikepx', 'k', 'x'],
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
    'putcallflag',
    'contracttype'
  ],
  bid: ['bid', 'bidprice', 'bestbid', 'bidpx', 'closebid', 'bideod'],
  ask: ['ask', 'askprice', 'bestask', 'bestoffer', 'offer', 'askpx', 'closeask', 'askeod'],
  last: ['last', 'lastprice', 'lasttradeprice', 'lastsale', 'price', 'close'],
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
    'underlyingclose',
    'undlast',
    'underlying'
  ]
}

type Field = keyof typeof namesOf & string

/** Fields of which a table with the call and the put of a strike in one row has two columns. */
const twofold: readonly Field[] = ['bid', 'ask', 'last', 'volume', 'open_interest']

/**
 * A column map for a heading that is not known, by what its columns are called and by what they hold: `quote_dt=date,
 * cp=right`. Undefined if it would fill no contract.
 */
export function proposedMap(heading: Line, sample: TableSample, forms: Forms): string | undefined {
  const names = Array.from({ length: heading.count }, (_, column) => textOf(heading, column))
  const taken = new Set<number>()
  const pairs: string[] = []
  const fills = (field: string) => pairs.some((pair) => pair.endsWith(`=${field}`))
  const holds = (column: number, field: Field) => {
    const texts = sample.texts(column).filter((text) => !isAbsent(text))
    const shown = texts.slice(0, SHOWN)
    const fitting = shown.filter((text) => fits(text, field, forms)).length
    return shown.length === 0 ? !needed.has(field) : fitting >= SHARE * shown.length
  }
  for (const [field, known] of Object.entries(namesOf) as [Field, readonly string[]][]) {
    if (fills('occ') && ofContract.has(field)) continue
    const free = names.flatMap((name, column) => {
      const isUsable = name !== '' && !taken.has(column) && !/[,="]/.test(name)
      return isUsable && holds(column, field) ? [{ name, column }] : []
    })
    const found = columnFor(free, known)
    if (found === undefined) continue
    const same = free.filter(({ name }) => name === found.name)
    if (same.length > 1 && (fills('right') || !twofold.includes(field))) return undefined
    const of = same.length === 2 ? [`${found.name}#1=call_${field}`, `${found.name}#2=put_${field}`] : []
    for (const { column } of same.length === 2 ? same : [found]) taken.add(column)
    for (const pair of of.length > 0 ? of : [`${found.name}=${field}`]) pairs.push(pair)
  }
  const hasContract = fills('occ') || (fills('strike') && fills('expiration'))
  const hasFigures = pairs.some((pair) =>
    twofold.some((field) => pair.endsWith(`=${field}`) || pair.endsWith(`_${field}`))
  )
  return hasContract && hasFigures ? pairs.join(',') : undefined
}

/** Rows of the sample whose values are looked at, and the share of them that fits; others may repeat the heading. */
const SHOWN = 50
const SHARE = 0.8
/** Fields that nothing fills without values, and those of the contract, which an OCC symbol states. */
const needed: ReadonlySet<Field> = new Set(['symbol', 'occ', 'date', 'expiration', 'strike', 'right'])
const ofContract: ReadonlySet<Field> = new Set(['root', 'expiration', 'strike', 'right'])

/** Whether a text can be the value of a field. */
function fits(text: string, field: Field, forms: Forms): boolean {
  if (field === 'occ') return optionNamed(text) !== undefined
  if (field === 'right') return isRight(text)
  if (field === 'symbol') return tableSymbol(text) !== undefined && optionNamed(text) === undefined
  if (field === 'root') return /^[A-Z0-9. ]+$/i.test(text) && numberIn(text) === undefined
  if (field === 'date' || field === 'expiration') return stampIn(text, forms) !== undefined
  return field === 'time' || numberIn(text) !== undefined
}

interface Column {
  readonly name: string
  readonly column: number
}

function columnFor(columns: readonly Column[], known: readonly string[]): Column | undefined {
  const letters = ({ name }: Column) => name.toLowerCase().replaceAll(/[^a-z]/g, '')
  for (const alias of known) {
    const same = columns.find((column) => letters(column) === alias)
    if (same !== undefined) return same
  }
  const long = known.filter((alias) => alias.length >= 4)
  return columns.find((column) => long.some((alias) => isNear(letters(column), alias)))
}

/** Whether two words differ by one letter at most, or the first is the second with an ending. */
function isNear(word: string, alias: string): boolean {
  if (word.length < 4) return false
  if (word.startsWith(alias)) return word.length - alias.length <= 2
  const [short, long] = word.length <= alias.length ? [word, alias] : [alias, word]
  if (long.length - short.length > 1) return false
  const at = [...short].findIndex((letter, k) => letter !== long[k])
  if (at < 0) return true
  return short.slice(at + (short.length === long.length ? 1 : 0)) === long.slice(at + 1)
}
