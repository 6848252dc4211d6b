import type { ContractQuote } from '../../whole-market/wanted-trades.ts'
import { decodeMessagePack } from './alpaca-message-pack.ts'
import { type AlpacaTrade, alpacaTimeFrom, alpacaTradeFrom, isFigure } from './alpaca-trade.ts'

export interface AlpacaMessageSink {
  success(message: string): void
  error(code: number, message: string): void
  subscribed(): void
  trade(trade: AlpacaTrade): void
  quote(quote: ContractQuote): void
  /**
   * Called with a short reason when a message is ignored. Reasons are counted by their text, so there must be few
   * different ones.
   */
  refused(reason: string): void
}

const MAX_PRICE = 1e6

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads a frame, a MessagePack array of messages. Trades and quotes are read only for contracts that `isWanted`
 * accepts.
 */
export function readAlpacaFrame(
  bytes: Uint8Array,
  isWanted: (contract: string) => boolean,
  sink: AlpacaMessageSink
): void {
  const messages = decodeMessagePack(bytes)
  if (!Array.isArray(messages)) sink.refused('a frame that is no list in MessagePack')
  else for (const message of messages) readMessage(message, isWanted, sink)
}

function readMessage(message: unknown, isWanted: (contract: string) => boolean, sink: AlpacaMessageSink): void {
  const fields = typeof message === 'object' && message !== null ? (message as Fields) : {}
  const { T: kind, msg, code } = fields
  const text = typeof msg === 'string' ? msg : ''
  if (kind === 't' || kind === 'q') readMarketMessage(fields, isWanted, sink)
  else if (kind === 'success') sink.success(text)
  else if (kind === 'error') sink.error(typeof code === 'number' ? code : 0, text)
  else if (kind === 'subscription') sink.subscribed()
  else sink.refused('an unknown message (T)')
}

function readMarketMessage(fields: Fields, isWanted: (contract: string) => boolean, sink: AlpacaMessageSink): void {
  const { T: kind, S: contract } = fields
  if (typeof contract !== 'string') sink.refused('a message of no option (S)')
  else if (!isWanted(contract)) return
  else if (kind === 'q') readQuote(fields, contract, sink)
  else {
    const trade = alpacaTradeFrom(contract, fields)
    if (typeof trade === 'string') sink.refused(trade)
    else sink.trade(trade)
  }
}

/**
 * Condition codes of quotes that are not firm: indicative, rotation, halt, one-sided. Such a quote must not decide
 * whether a print was a buy or a sell.
 */
const notFirm: ReadonlySet<unknown> = new Set(['F', 'I', 'R', 'T', 'X', 'Y'])

function readQuote({ bp: bid, ap: ask, t, c }: Fields, contract: string, sink: AlpacaMessageSink): void {
  const isQuoted = isFigure(bid, 0, MAX_PRICE) && isFigure(ask, 0, MAX_PRICE)
  const time = alpacaTimeFrom(t)
  if (!isQuoted) sink.refused('a quote without prices (bp, ap)')
  else if (time === undefined) sink.refused('a quote without its time (t)')
  else if (typeof c !== 'string') sink.refused('a quote without its condition (c)')
  else sink.quote(notFirm.has(c) ? { contract, bid: 0, ask: 0, time } : { contract, bid, ask, time })
}
