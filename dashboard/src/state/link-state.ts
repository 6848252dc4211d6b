import { signal } from '@preact/signals'

/** How the stream stands: `off` where the plan has none, or in replay. */
export const link = signal<'off' | 'connecting' | 'live' | 'lost'>('off')
