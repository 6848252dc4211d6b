import Type from 'typebox'
import { rowsByPosition } from '../../../api/annotations.ts'
import { endpoint } from '../../../api/endpoint.ts'
import { Count, Name, Shares } from '../../../api/quantity.ts'
import { blockSize, largePrintFloor } from '../../../flow/print-rules.ts'
import { newestFirst } from '../../../flow/windows/newest-first.ts'
import { limit, minSize, ofStock } from '../tape-parameters.ts'
import { stockBlock } from '../trade.ts'

export const stockBlocks = endpoint({
  id: 'flow.stocks_blocks',
  path: '/v1/flow/stocks/{symbol}/blocks',
  tag: 'flow',
  summary: 'Large stock prints',
  description: 'Only the large stock prints.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['tapeSubject', 'stockPrints', 'stockBlocks'],
  params: { ...ofStock, minSize: minSize(blockSize.stock, 'shares'), limit: limit(200) },
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Name('ticker'),
    minSize: Shares(`of a print; below ${largePrintFloor.stock} only the newest prints are looked through`),
    count: Count('rows below'),
    blocks: Type.Array(stockBlock.schema, rowsByPosition)
  }),
  answer: ({ stockPrints, stockBlocks: large }, { symbol, minSize: least, limit: most }) => {
    const view = least >= largePrintFloor.stock ? large : stockPrints
    const rows = newestFirst(view, { minSize: least }).slice(0, most)
    const blocks = rows.map((row) => stockBlock.fill(view, row))
    return { symbol, minSize: least, count: blocks.length, blocks }
  }
})
