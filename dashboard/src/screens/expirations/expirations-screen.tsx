import { useEffect } from 'preact/hooks'
import { place } from '../../state/page/address.ts'
import { all } from '../../state/screens/expirations-state.ts'
import { startAll } from '../../state/service/figures.ts'
import { CardPlace } from '../card/card-place.tsx'
import { MatrixPanel, PainByDatePanel, PainPanel } from './expirations-panels.tsx'

/** An exposure by strike and expiration, and max pain. */
export default function Expirations() {
  useEffect(() => startAll(all), [])
  return (
    <main class="expirations">
      <h1 class="hidden">Expirations of {place.value.symbol}</h1>
      <MatrixPanel />
      <PainByDatePanel />
      <PainPanel />
      <CardPlace />
    </main>
  )
}
