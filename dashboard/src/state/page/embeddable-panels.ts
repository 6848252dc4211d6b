/**
 * Panels that other pages may embed. `embed/embed-panels.tsx` has their components, `embedPanels` in
 * src/app/dashboard-pages.ts the endpoints that a token for each opens. A test compares the names.
 */
export const EMBEDDABLE_PANELS = [
  'ladder',
  'levels',
  'reading',
  'today',
  'hedging',
  'profile',
  'expirations',
  'matrix',
  'pain',
  'smile',
  'surface',
  'terms',
  'skew'
] as const
export type EmbeddablePanel = (typeof EMBEDDABLE_PANELS)[number]
