// AssemblyScript source. scripts/assemble.mjs compiles it to option-rows.wasm.ts, which is what runs; scan-rows.ts
// calls it.
// One pass over the contracts of a payload, 16 bytes at a time. The text before each value is compared with the layout
// of the first contract, and numbers go straight into columns. Consecutive contracts with one root and expiration form
// a run, so that only one symbol per run has to be parsed outside. The pass refuses anything that is not as the
// exchange writes it; the payload is then parsed as JSON, which only costs time.

declare function trade(at: usize, length: i32): void
/** Calls JavaScript to parse a number whose text is too long or too unusual for this module. */
declare function figure(at: usize, end: usize): f64

export const MOST_FIELDS: i32 = 64
export const MOST_BEFORE: i32 = 32
const MOST_RUNS: i32 = 4096
export const BLOCK_BYTES: i32 = 262144
/** Maximum length of a row. A row that begins nearer to the end of a block waits for the next block. */
export const ROW_BYTES: i32 = 2048

/**
 * Bytes per field: 32 bytes for the text before its value, two masks of the bytes in use, the text's length, and the
 * slot.
 */
export const FIELD_BYTES: i32 = 48
export const fields: usize = memory.data(64 * 48, 16)
/** Bytes per run: the index of its first row, the length of that row's symbol (0 if unreadable), and the symbol. */
export const RUN_BYTES: i32 = 32
export const RUN_SYMBOL: i32 = 8
export const runs: usize = memory.data(4096 * 32, 16)
export const newest: usize = memory.data(32, 16)
/** Rows to be scanned, followed by zeros. No row contains a zero, so they end every scan. */
export const block: usize = memory.data(262144 + 128, 16)
export const columns: usize = __heap_base

export let rowCount: i32 = 0
export let runCount: i32 = 0

export const FINISHED: i32 = 0
export const REFUSED: i32 = -1

// Slots of the fields that are read: the numbers, then two texts. `option-layout.ts` names them in this order.
const BID: i32 = 0
const ASK: i32 = 1
const LAST: i32 = 2
const BID_SIZE: i32 = 3
const ASK_SIZE: i32 = 4
const VOLUME: i32 = 5
const OPEN_INTEREST: i32 = 6
const SYMBOL: i32 = 7
const LAST_TRADE: i32 = 8

const TAB: i32 = 9
const NEWLINE: i32 = 10
const RETURN: i32 = 13
const BLANK: i32 = 32
const QUOTE: i32 = 34
const PLUS: i32 = 43
const COMMA: i32 = 44
const MINUS: i32 = 45
const POINT: i32 = 46
const ZERO: i32 = 48
const LETTER_C: i32 = 67
const LETTER_P: i32 = 80
const LIST_END: i32 = 93
const LOWER_E: i32 = 101
const LETTER_A: i32 = 97
const ROW_END: i32 = 125
/** The bit by which lower case differs from upper case. */
const CASE: i32 = 32
const NULL: u32 = 0x6c6c756e
const TRUE: u32 = 0x65757274
const FALS: u32 = 0x736c6166

const UNKNOWN: i32 = -1
/** Largest count that a column of 32 bits can hold. */
const MAX_COUNT: f64 = 2147483647
const powersOfTen: usize = memory.data<f64>([1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13], 8)
const figures: usize = memory.data(7 * 8, 16)

let fieldsEnd: usize = 0
let newestLength: i32 = 0
let strike: usize = 0
let bid: usize = 0
let ask: usize = 0
let last: usize = 0
let bidSize: usize = 0
let askSize: usize = 0
let volume: usize = 0
let openInterest: usize = 0
let right: usize = 0
/**
 * Address of the run that holds the previous row. `runMask` marks the bytes of root and date in its symbol (0 for no
 * run).
 */
let run: usize = 0
let runMask: i32 = 0
let runLength: i32 = 0
/** Strike and right of the previous row packed into one number, whose order is that of contracts in a chain. */
let orderBefore: i32 = 0

/**
 * Drops all rows and lays out the columns one after the other, each with room for `capacity` rows. The caller must not
 * scan more rows than that.
 */
export function begin(fieldCount: i32, capacity: i32): void {
  fieldsEnd = fields + <usize>(fieldCount * FIELD_BYTES)
  rowCount = 0
  runCount = 0
  newestLength = 0
  runMask = 0
  const floats = (<usize>capacity) << 3
  const counts = (<usize>capacity) << 2
  strike = columns
  bid = strike + floats
  ask = bid + floats
  last = ask + floats
  bidSize = last + floats
  askSize = bidSize + counts
  volume = askSize + counts
  openInterest = volume + counts
  right = openInterest + counts
}

export function setNewest(length: i32): void {
  newestLength = length
}

/**
 * Scans the rows that begin between `from` and `until`. Returns the address of the next row, `FINISHED` after the last
 * one, or `REFUSED`.
 */
export function scan(from: usize, until: usize): i32 {
  let at = from
  while (at <= until) {
    at = pastRow(at)
    if (at === 0) return REFUSED
    at = pastBlanks(at)
    const next = <i32>load<u8>(at)
    if (next === LIST_END) return FINISHED
    if (next !== COMMA) return REFUSED
    at = pastBlanks(at + 1)
  }
  return <i32>at
}

function pastRow(from: usize): usize {
  let at = from
  let symbolAt: usize = 0
  let symbolLength = 0
  for (let field = fields; field < fieldsEnd; field += FIELD_BYTES) {
    const first = load<i32>(field, 32)
    if ((i8x16.bitmask(i8x16.eq(v128.load(at), v128.load(field))) & first) !== first) return 0
    const second = load<i32>(field, 36)
    if (second !== 0 && (i8x16.bitmask(i8x16.eq(v128.load(at, 16), v128.load(field, 16))) & second) !== second) return 0
    at += load<i32>(field, 40)
    const slot = load<i32>(field, 44)
    if (<i32>load<u8>(at) === QUOTE) {
      at++
      const length = textLength(at)
      if (length < 0) return 0
      if (slot === SYMBOL) {
        symbolAt = at
        symbolLength = length
      } else if (slot === LAST_TRADE) takeTrade(at, length)
      else if (slot >= 0) return 0
      at += length + 1
    } else {
      at = pastFigure(at, slot)
      if (at === 0) return 0
    }
  }
  at = pastBlanks(at)
  if (<i32>load<u8>(at) !== ROW_END) return 0
  return takeSymbol(symbolAt, symbolLength) && takeFigures() ? at + 1 : 0
}

/** Length of a text up to its closing quote; -1 if it has more than 63 characters or contains a special one. */
function textLength(at: usize): i32 {
  for (let done = 0; done < 64; done += 16) {
    const bytes = v128.load(at + done)
    // Plain characters are 0x20 to 0x7e except the quote and [ \ ]. One comparison covers the backslash and the closing
    // bracket.
    const ends = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.lt_s(bytes, i8x16.splat(32)), i8x16.eq(bytes, i8x16.splat(127))),
        v128.or(
          i8x16.eq(v128.and(bytes, i8x16.splat(-2)), i8x16.splat(92)),
          v128.or(i8x16.eq(bytes, i8x16.splat(34)), i8x16.eq(bytes, i8x16.splat(91)))
        )
      )
    )
    if (ends !== 0) {
      const length = done + ctz(ends)
      return <i32>load<u8>(at + length) === QUOTE ? length : -1
    }
  }
  return -1
}

/**
 * Reads a value other than a text into its slot. Returns the address after the value; 0 if it cannot be read. The test
 * for a plain decimal has no branches, because the processor would mispredict half of them.
 */
function pastFigure(from: usize, slot: i32): usize {
  const minus = i32(<i32>load<u8>(from) === MINUS)
  const at = from + minus
  const bytes = v128.load(at)
  const digits = i8x16.bitmask(i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(48)), i8x16.splat(10)))
  const points = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(46)))
  const length = ctz(~(digits | points))
  const point = points & ((1 << length) - 1)
  const isRare =
    (~digits & 1) |
    i32(length > 15) | // a double is exact to fifteen digits
    i32((<i32>load<u8>(at + length) | CASE) === LOWER_E) |
    (i32(<i32>load<u8>(at) === ZERO) & i32(length !== 1) & i32((point & 2) === 0)) | // leading zero, as in 007
    i32((point & (point - 1)) !== 0) |
    i32(point === 1 << (length - 1))
  if (isRare !== 0) return pastRareValue(from, slot)
  if (<u32>slot < <u32>SYMBOL) {
    const magnitude = numberOf(at, length, point)
    store<f64>(figures + ((<usize>slot) << 3), minus !== 0 ? -magnitude : magnitude)
  }
  return at + length
}

/**
 * The double nearest to a plain decimal. `point` has one bit set at the position of the decimal point; 0 if there is
 * none.
 */
function numberOf(at: usize, length: i32, point: i32): f64 {
  const whole = point === 0 ? length : ctz(point)
  let value: i64 = 0
  for (let k = 0; k < whole; k++) value = value * 10 + (<i64>load<u8>(at + k) - ZERO)
  if (point === 0) return <f64>value
  for (let k = whole + 1; k < length; k++) value = value * 10 + (<i64>load<u8>(at + k) - ZERO)
  return <f64>value / load<f64>(powersOfTen + ((<usize>(length - whole - 1)) << 3))
}

/**
 * Reads values other than plain decimals: null, true, false, exponents, long numbers. Returns the address after the
 * value; 0 if none can be read, or if true or false stands for a number.
 */
function pastRareValue(from: usize, slot: i32): usize {
  const isFigure = <u32>slot < <u32>SYMBOL
  if (<i32>load<u8>(from) >= LETTER_A) {
    const word = load<u32>(from)
    if (isFigure) store<f64>(figures + ((<usize>slot) << 3), NaN)
    if (word === NULL) return from + 4
    if (isFigure) return 0
    if (word === TRUE) return from + 4
    return word === FALS && <i32>load<u8>(from, 4) === LOWER_E ? from + 5 : 0
  }
  const end = pastNumber(from)
  if (end !== 0 && isFigure) store<f64>(figures + ((<usize>slot) << 3), figure(from, end))
  return end
}

/** Address after the JSON number that begins at `from` (RFC 8259, section 6); 0 if none begins there. */
function pastNumber(from: usize): usize {
  const first = <i32>load<u8>(from) === MINUS ? from + 1 : from
  let at = <i32>load<u8>(first) === ZERO ? first + 1 : pastDigits(first)
  if (at === first) return 0
  if (<i32>load<u8>(at) === POINT) {
    const decimals = at + 1
    at = pastDigits(decimals)
    if (at === decimals) return 0
  }
  if ((<i32>load<u8>(at) | CASE) !== LOWER_E) return at
  at++
  const sign = <i32>load<u8>(at)
  const exponent = sign === PLUS || sign === MINUS ? at + 1 : at
  at = pastDigits(exponent)
  return at === exponent ? 0 : at
}

function pastDigits(from: usize): usize {
  let at = from
  while (<u32>load<u8>(at) - ZERO < 10) at++
  return at
}

function pastBlanks(from: usize): usize {
  let at = from
  while (isBlank(load<u8>(at))) at++
  return at
}

function isBlank(byte: i32): bool {
  return byte === BLANK || byte === NEWLINE || byte === RETURN || byte === TAB
}

/**
 * Stores a trade time if it is newer than the stored one. Most are older; in texts of one length the first different
 * byte decides.
 */
function takeTrade(at: usize, length: i32): void {
  if (length !== 19 || newestLength !== 19) {
    trade(at, length)
    return
  }
  const differs = i8x16.bitmask(i8x16.ne(v128.load(at), v128.load(newest)))
  let k: usize = 16
  if (differs !== 0) k = ctz(differs)
  else while (k < 19 && load<u8>(at + k) === load<u8>(newest + k)) k++
  if (k < 19 && load<u8>(at + k) > load<u8>(newest + k)) trade(at, length)
}

/**
 * Reads strike, right and run of a row from its symbol. Returns false if there are too many runs, or the contracts are
 * not in the order of a chain.
 */
function takeSymbol(at: usize, length: i32): bool {
  const end = at + length
  const side = length < 16 || length > 21 ? 0 : <i32>load<u8>(end - 9)
  const isSide = (i32(side === LETTER_C) | i32(side === LETTER_P)) !== 0
  const thousandths = isSide ? eightDigits(end - 8) : 0
  if (thousandths <= 0) return newRun(at, 0)
  const isPut = i32(side === LETTER_P)
  const order = (thousandths << 1) | isPut
  const isSame =
    runMask !== 0 &&
    length === runLength &&
    (i8x16.bitmask(i8x16.eq(v128.load(at), v128.load(run, 8))) & runMask) === runMask
  if (isSame ? order <= orderBefore : !newRun(at, length)) return false
  orderBefore = order
  store<f64>(strike + ((<usize>rowCount) << 3), <f64>thousandths / 1000)
  store<u8>(right + <usize>rowCount, isPut)
  return true
}

/**
 * Parses eight digits; -1 if one is not a digit. Combines pairs of digits, then all pairs by two multiplications.
 * Source: D. Lemire, Quickly parsing eight digits (2018).
 */
function eightDigits(at: usize): i32 {
  const zeros: u64 = 0x3030303030303030
  const high: u64 = 0xf0f0f0f0f0f0f0f0
  const word = load<u64>(at)
  if ((word & high) !== zeros || ((word + 0x0606060606060606) & high) !== zeros) return -1
  const digits = word - zeros
  const pairs = digits * 10 + (digits >> 8)
  const mask: u64 = 0x000000ff000000ff
  return <i32>(((pairs & mask) * 0x000f424000000064 + ((pairs >> 16) & mask) * 0x0000271000000001) >> 32)
}

function newRun(at: usize, length: i32): bool {
  if (runCount === MOST_RUNS) return false
  run = runs + <usize>(runCount * RUN_BYTES)
  runCount++
  store<i32>(run, rowCount)
  store<i32>(run, length, 4)
  memory.copy(run + RUN_SYMBOL, at, length)
  runLength = length
  runMask = length === 0 ? 0 : (1 << (length - 9)) - 1
  return true
}

/**
 * Stores the row's numbers in the columns, corrected as in `json-chain.ts`, and counts the row. Returns false if a
 * quote or an open interest is negative or too large, or an open interest a fraction; the JSON reader then counts such
 * rows.
 */
function takeFigures(): bool {
  const rawBid = load<f64>(figures, BID << 3)
  const rawAsk = load<f64>(figures, ASK << 3)
  if ((i32(rawBid < 0) | i32(rawAsk < 0) | i32(rawBid === Infinity) | i32(rawAsk === Infinity)) !== 0) return false
  const rawInterest = load<f64>(figures, OPEN_INTEREST << 3)
  // All three are false for an absent one, which is NaN.
  if ((i32(rawInterest < 0) | i32(rawInterest > MAX_COUNT) | i32(floor(rawInterest) < rawInterest)) !== 0) return false
  const bidPrice = abs(rawBid)
  const askPrice = price(rawAsk)
  const floats = (<usize>rowCount) << 3
  const counts = (<usize>rowCount) << 2
  store<f64>(bid + floats, bidPrice)
  store<f64>(ask + floats, askPrice)
  store<f64>(last + floats, price(load<f64>(figures, LAST << 3)))
  store<i32>(bidSize + counts, size(load<f64>(figures, BID_SIZE << 3), bidPrice))
  store<i32>(askSize + counts, size(load<f64>(figures, ASK_SIZE << 3), askPrice))
  store<i32>(volume + counts, count(load<f64>(figures, VOLUME << 3)))
  store<i32>(openInterest + counts, count(rawInterest))
  rowCount++
  return true
}

function price(value: f64): f64 {
  return select(value, NaN, i32(value > 0) & i32(value < Infinity))
}

function count(value: f64): i32 {
  const whole = <i32>value // saturates for values that are no count; the comparison below rejects those
  return select(whole, UNKNOWN, i32(whole >= 0) & i32(<f64>whole === value))
}

function size(value: f64, beside: f64): i32 {
  const known = count(value)
  return select(UNKNOWN, known, i32(known === 0) & i32(beside > 0))
}
