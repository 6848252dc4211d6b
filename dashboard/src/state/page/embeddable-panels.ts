/**
 * The panels that pages of others may show. `embed/embed-panels.tsx` has their components. The service keeps the same names
 * with the endpoints that a token of each opens (`embedPanels` in src/app/dashboard-pages.ts); a test compares the two.
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
