import type { Accent } from './brand.ts'

/** Colours on which the accent is drawn, by theme, as in the style sheet of the dashboard. */
export const surfaces = {
  dark: { ground: '#090c12', panel: '#0f141c', raised: '#161d28' },
  light: { ground: '#eef1f5', panel: '#ffffff', raised: '#f4f6f9' }
} as const satisfies Record<keyof Accent, Readonly<Record<string, string>>>

/** Least contrast of text and its ground. Source: WCAG 2.2, success criterion 1.4.3. */
export const LEAST_CONTRAST = 4.5

/** Contrast ratio of two colours, #rrggbb, from 1 to 21. Source: WCAG 2.2, "contrast ratio". */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Least contrast of a colour with the surfaces of a theme. */
export function contrastIn(theme: keyof Accent, colour: string): number {
  return Math.min(...Object.values(surfaces[theme]).map((surface) => contrast(colour, surface)))
}

/** Relative luminance of a colour, from 0 to 1. Source: WCAG 2.2, "relative luminance". */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
