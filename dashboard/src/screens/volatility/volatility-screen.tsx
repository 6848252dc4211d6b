import { useEffect } from 'preact/hooks'
import { place } from '../../state/page/address.ts'
import { all } from '../../state/screens/volatility-state.ts'
import { startAll } from '../../state/service/figures.ts'
import { Chips } from './chips.tsx'
import { SkewPanel, SmilePanel, SurfacePanel, TermPanel } from './volatility-panels.tsx'
import { Figures } from './volatility-side.tsx'

/** Smile, surface and term structure, and their comparison with realized volatility. */
export default function Volatility() {
  useEffect(() => startAll(all), [])
  return (
    <main class="volatility">
      <h1 class="hidden">Volatility of {place.value.symbol}</h1>
      <Chips />
      <SmilePanel />
      <SurfacePanel />
      <TermPanel />
      <SkewPanel />
      <Figures />
    </main>
  )
}
