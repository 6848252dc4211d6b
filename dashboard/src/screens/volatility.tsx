import { useEffect } from 'preact/hooks'
import { place } from '../state/address.ts'
import { startAll } from '../state/figures.ts'
import { all } from '../state/volatility.ts'
import { Chips } from './volatility/chips.tsx'
import { Figures } from './volatility/figures.tsx'
import { SkewPanel, SmilePanel, SurfacePanel, TermPanel } from './volatility/panels.tsx'

/** What options say of moves to come: one smile, all of them, and what they are worth beside the past. */
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
