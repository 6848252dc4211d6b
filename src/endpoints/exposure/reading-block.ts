import Type from 'typebox'
import { block } from '../../api/block.ts'
import { Note, Words } from '../../api/quantity.ts'
import { bookNote } from '../../wording/exposure-readings.ts'
import type { ModelId } from './dealer-model.ts'

/**
 * Which positions of dealers the sentences of a response assume, and which its codes about vanna and charm assume. The
 * codes follow the published API contract, in which dealers hold the opposite of the net.
 */
export const readingBlock = block(
  Type.Object(
    {
      sentences: Words('dealers_long_calls_short_puts', 'dealer_model'),
      codes: Words('dealers_short_calls_long_puts', 'opposite_of_dealer_model'),
      note: Note()
    },
    {
      title: 'Reading',
      description: 'which positions of dealers the sentences assume, and which the codes about vanna and charm'
    }
  ),
  (model?: ModelId) => {
    const isModelled = model !== undefined && model !== 'convention'
    return {
      sentences: isModelled ? ('dealer_model' as const) : ('dealers_long_calls_short_puts' as const),
      codes: isModelled ? ('opposite_of_dealer_model' as const) : ('dealers_short_calls_long_puts' as const),
      note: bookNote(isModelled)
    }
  }
)
