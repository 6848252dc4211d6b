import type { IsoDate } from './units.ts'
import { isoDate, parseDigits } from './units.ts'

export interface Occ {
  /** The option root as listed: AAPL, SPXW, AAPL1. */
  readonly root: string
  /** The root without the digits that mark an adjusted contract: AAPL for AAPL1. A weekly root stays as it is. */
  readonly underlying: string
  readonly expiration: IsoDate
  readonly right: 'call' | 'put'
  /** Strike in USD, or index points. */
  readonly strike: number
  /**
   * Whether the deliverable differs from 100 shares of the underlying, after a split, a merger or a special dividend.
   */
  readonly adjusted: boolean
}

const TAIL = 15 // yyMMdd, C or P, strike in 1/1000 as eight digits
const ROOT = 6
const SPACE = 32
const CALL = 67
const PUT = 80

/**
 * Parses an OCC option symbol, `AAPL  260116C00150000` or the same without the spaces: a root of 1 to 6 letters and
 * digits, then yyMMdd, C or P, and the strike in thousandths. Undefined for anything else. The root may begin with a
 * digit (FLEX series such as 2SPX); trailing digits mark an adjusted contract. Source: OCC, Options Symbology
 * Initiative (2010), the 21-character symbol.
 */
export function parseOcc(text: string): Occ | undefined {
  const tail = text.length - TAIL
  if (tail < 1 || tail > ROOT) return undefined

  let rootEnd = tail
  while (rootEnd > 0 && text.charCodeAt(rootEnd - 1) === SPACE) rootEnd--
  let underlyingEnd = rootEnd
  while (underlyingEnd > 0 && isDigit(text.charCodeAt(underlyingEnd - 1))) underlyingEnd--
  if (underlyingEnd === 0) return undefined
  for (let i = 0; i < underlyingEnd; i++) if (!isRootCharacter(text.charCodeAt(i))) return undefined

  const right = text.charCodeAt(tail + 6)
  if (right !== CALL && right !== PUT) return undefined
  const expiration = expirationOf(parseDigits(text, tail, tail + 6))
  const thousandths = parseDigits(text, tail + 7, tail + TAIL)
  if (expiration === undefined || thousandths === undefined || thousandths === 0) return undefined

  const root = text.slice(0, rootEnd)
  const adjusted = underlyingEnd < rootEnd
  return {
    root,
    underlying: adjusted ? text.slice(0, underlyingEnd) : root,
    expiration,
    right: right === CALL ? 'call' : 'put',
    strike: thousandths / 1000,
    adjusted
  }
}

/**
 * Formats an OCC option symbol; `padded` fills the root with spaces to six characters, as the OCC itself does. Throws
 * if no symbol exists: a strike of 0, of 100,000 or more, or with more than three decimals; a year not 20yy.
 */
export function formatOcc(
  occ: Pick<Occ, 'root' | 'expiration' | 'right' | 'strike'>,
  options: { readonly padded?: boolean } = {}
): string {
  const { root, expiration, right, strike } = occ
  const thousandths = Math.round(strike * 1000)
  const listed = thousandths > 0 && thousandths < 1e8 && Math.abs(strike * 1000 - thousandths) < 1e-4
  if (!listed) throw new RangeError(`no OCC symbol for strike ${strike}`)
  if (!expiration.startsWith('20')) throw new RangeError(`no OCC symbol for expiration ${expiration}`)
  const date = expiration.slice(2, 4) + expiration.slice(5, 7) + expiration.slice(8, 10)
  const rootText = options.padded === true ? root.padEnd(ROOT) : root
  return rootText + date + (right === 'call' ? 'C' : 'P') + String(thousandths).padStart(8, '0')
}

// A chain of 30,000 contracts has some sixty expirations, so each date is checked and written once.
const expirations = new Map<number, IsoDate>()

function expirationOf(yyMMdd: number | undefined): IsoDate | undefined {
  if (yyMMdd === undefined) return undefined
  const known = expirations.get(yyMMdd)
  if (known !== undefined) return known
  const date = isoDate(2000 + Math.floor(yyMMdd / 10_000), Math.floor(yyMMdd / 100) % 100, yyMMdd % 100)
  if (date !== undefined) expirations.set(yyMMdd, date)
  return date
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isRootCharacter(code: number): boolean {
  return (code >= 65 && code <= 90) || isDigit(code)
}
