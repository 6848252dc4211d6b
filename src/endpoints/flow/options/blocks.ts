import Type from 'typebox'
import { rowsByPosition } from '../../../api/annotations.ts'
import { endpoint } from '../../../api/endpoint.ts'
import { Contracts, Count, Name } from '../../../api/quantity.ts'
import { blockSize, largePrintFloor } from '../../../flow/print-rules.ts'
import { newestFirst } from '../../../flow/windows/newest-first.ts'
import { expiryAsked } from '../expiry-asked.ts'
import { limit, minSize, ofOptions } from '../tape-parameters.ts'
import { optionBlock } from '../trade.ts'

export const optionBlocks = endpoint({
  id: 'flow.options_blocks',
  path: '/v1/flow/options/{symbol}/blocks',
  tag: 'flow',
  summary: 'Large option prints',
  description: 'Only the large option prints, which institutions leave.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['tapeSubject', 'optionPrints', 'optionBlocks'],
  params: { ...ofOptions, minSize: minSize(blockSize.option, 'contracts'), limit: limit(200) },
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Name('underlying ticker'),
    expiry: expiryAsked,
    minSize: Contracts(`of a print; below ${largePrintFloor.option} only the newest prints are looked through`),
    count: Count('rows below'),
    blocks: Type.Array(optionBlock.schema, rowsByPosition)
  }),
  answer: ({ optionPrints, optionBlocks: large }, { symbol, expiry, minSize: least, limit: most }) => {
    const view = least >= largePrintFloor.option ? large : optionPrints
    const rows = newestFirst(view, { expiry, minSize: least }).slice(0, most)
    const blocks = rows.map((row) => optionBlock.fill(view, row))
    return { symbol, expiry, minSize: least, count: blocks.length, blocks }
  }
})
