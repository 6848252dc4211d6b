import type { ComponentChildren } from 'preact'
import { lazy, Suspense } from 'preact/compat'
import { place } from '../../state/page/address.ts'

/** Loaded when the first card is opened. */
const FigureCard = lazy(() => import('./figure-card.tsx'))

/** The open card, or other contents while none is open. Every screen whose figures have cards holds one. */
export function CardPlace({ children }: { readonly children?: ComponentChildren }) {
  if (place.value.card === undefined) return <>{children}</>
  return (
    <Suspense fallback={<section class="card" aria-busy="true" />}>
      <FigureCard />
    </Suspense>
  )
}
