import { isTicker } from '../page/place.ts'
import { setStars, stars } from '../page/stars.ts'
import { KeptDocuments } from './kept-documents.ts'

/** A list of symbols beside the stars. */
export interface Watchlist {
  readonly name: string
  readonly symbols: readonly string[]
}

/** Lists of the reader by their ids. The stars are a list of their own, which stands for everybody. */
export const ownLists = new KeptDocuments({
  kind: 'watchlists',
  but: 'stars',
  read: readList,
  nameOf: ({ name }: Watchlist) => `The list ${name}`
})

function readList(value: unknown): Watchlist | undefined {
  const { name, symbols } = (value ?? {}) as Partial<Record<keyof Watchlist, unknown>>
  if (typeof name !== 'string' || name === '' || !Array.isArray(symbols)) return undefined
  return { name, symbols: symbols.filter((each) => typeof each === 'string' && isTicker(each)) }
}

/** The symbols of a list; without an id the stars. Undefined: there is no list of that id. */
export function symbolsOf(id: string | undefined): readonly string[] | undefined {
  return id === undefined ? stars.value : ownLists.held.value.get(id)?.document.symbols
}

/** Puts the tickers among some symbols in place of those of a list; without an id of the stars. */
export function setSymbols(id: string | undefined, symbols: readonly string[]): void {
  const list = id === undefined ? undefined : ownLists.held.peek().get(id)?.document
  if (id === undefined) setStars(symbols)
  else if (list !== undefined) ownLists.put(id, { ...list, symbols: [...new Set(symbols.filter(isTicker))] })
}
