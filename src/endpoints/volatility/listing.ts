import Type from 'typebox'
import { block } from '../../api/block.ts'
import { Name, Words } from '../../api/quantity.ts'
import type { Settlement } from '../../market/clock.ts'

/** Option root and settlement of the series in a row. AM- and PM-settled series may expire on the same date. */
export const listingBlock = block(
  Type.Object({
    root: Name('option root'),
    settlement: Words('am', 'pm')
  }),
  ({ root, settlement }: { readonly root: string; readonly settlement: Settlement }) => ({ root, settlement })
)
