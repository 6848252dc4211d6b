import { signal } from '@preact/signals'

/**
 * The token of a panel on a page of others, which speaks for that page in the place of a cookie; empty while there is none
 * that works. Undefined on pages of our own.
 */
export const embedToken = signal<string>()
