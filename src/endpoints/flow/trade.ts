import Type from 'typebox'
import { block } from '../../api/block.ts'
import { Contracts, Count, Day, Nullable, Price, Shares, Words } from '../../api/quantity.ts'
import { instrumentId } from '../../flow/instrument-id.ts'
import { blockSize, dollars } from '../../flow/print-rules.ts'
import type { PrintWindow } from '../../flow/tape-views.ts'
import { CALL } from '../../market/chain.ts'
import { NO_PRICE, sideOf, sides } from '../../market/print.ts'
import { PrintTime, tapeTime } from './tape-time.ts'

const side = Words(...sides)
const quoted = (name: string) => Nullable(Price(`best ${name} that the side was judged by; null where there was none`))
const isBlock = (size: number, unit: string) => Type.Boolean({ description: `${size} ${unit} or more` })

const series = {
  expiry: Day(),
  strike: Price(),
  right: Words('C', 'P')
}
const quote = { bid: quoted('bid'), ask: quoted('ask') }

export const optionTrade = block(
  Type.Object(
    {
      ts: PrintTime(),
      instrumentId: Count('52 bits of the OCC name of the series: the same on every host and every day', {
        minimum: 0
      }),
      ...series,
      price: Price('', { minimum: 0 }),
      size: Contracts('', { minimum: 1 }),
      side,
      isBlock: isBlock(blockSize.option, 'contracts'),
      ...quote
    },
    { title: 'OptionTrade' }
  ),
  (view: PrintWindow, row: number) => ({
    ...printOf(view, row),
    instrumentId: instrumentId(view.series, view.prints.instrument[row]),
    ...seriesOf(view, row),
    isBlock: view.prints.size[row] >= blockSize.option,
    ...quoteOf(view, row)
  })
)

export const optionBlock = block(
  Type.Object(
    {
      ts: PrintTime(),
      ...series,
      price: Price('', { minimum: 0 }),
      size: Contracts('', { minimum: 1 }),
      side
    },
    { title: 'OptionBlockTrade' }
  ),
  (view: PrintWindow, row: number) => ({ ...printOf(view, row), ...seriesOf(view, row) })
)

const stockPrint = {
  ts: PrintTime(),
  price: Price('', { minimum: 0 }),
  size: Shares('', { minimum: 1 }),
  side
}

export const stockTrade = block(
  Type.Object({ ...stockPrint, isBlock: isBlock(blockSize.stock, 'shares'), ...quote }, { title: 'StockTrade' }),
  (view: PrintWindow, row: number) => ({
    ...printOf(view, row),
    isBlock: view.prints.size[row] >= blockSize.stock,
    ...quoteOf(view, row)
  })
)

export const stockBlock = block(
  Type.Object({ ...stockPrint, ...quote }, { title: 'StockBlockTrade' }),
  (view: PrintWindow, row: number) => ({
    ...printOf(view, row),
    ...quoteOf(view, row)
  })
)

function printOf({ prints, unit }: PrintWindow, row: number) {
  return {
    ts: tapeTime(prints.ts[row]),
    price: dollars(prints.price[row], unit),
    size: prints.size[row],
    side: sides[sideOf(prints.judged[row])]
  }
}

function seriesOf({ prints, series: { expirations, expiration, strike, right } }: PrintWindow, row: number) {
  const instrument = prints.instrument[row]
  return {
    expiry: expirations[expiration[instrument]].date,
    strike: strike[instrument],
    right: right[instrument] === CALL ? ('C' as const) : ('P' as const)
  }
}

function quoteOf({ prints, unit }: PrintWindow, row: number) {
  const stated = (price: number) => (price === NO_PRICE ? undefined : dollars(price, unit))
  return { bid: stated(prints.bid[row]), ask: stated(prints.ask[row]) }
}
