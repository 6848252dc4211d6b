import { symbol } from '../state/page/address.ts'
import { customers } from '../state/service/dealer-model.ts'
import { customerWords } from './customer-words.ts'

/** Says on which side customers of the symbol are shown to stand. */
export default function CustomerSides() {
  const sides = customerWords(symbol.value, customers.value)
  if (sides === undefined) return null
  return (
    <p class="sides" title="From how open interest changed after what customers bought and sold">
      {sides}
    </p>
  )
}
