import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LEVEL_FIELDS } from '../src/state/chart/level-lines.ts'

type Colour = readonly [red: number, green: number, blue: number]

const tokens = readFileSync(join(import.meta.dirname, '../src/style/tokens.css'), 'utf8')
const layer = (name: string) => readFileSync(join(import.meta.dirname, `../src/charts/time/layers/${name}.ts`), 'utf8')

/** Strongest alpha of the map, and that of level lines, as their layers have them. */
export const strongest = Number(/STRONGEST = (\d+)/.exec(layer('map'))![1]) / 255
const opacity = Number(/globalAlpha = (0\.9\d*)/.exec(layer('levels'))![1])
const hasEdge = /of\.dash, trace, ink\.panel\)/.test(layer('levels'))

function colourOf(theme: string, name: string): Colour {
  const block = new RegExp(`\\[data-theme="${theme}"\\] \\{([^}]*)\\}`).exec(tokens)![1]!
  const [, digits] = new RegExp(`--${name}: #([0-9a-f]{6});`).exec(block)!
  return [0, 2, 4].map((at) => Number.parseInt(digits!.slice(at, at + 2), 16)) as unknown as Colour
}

const over = (upper: Colour, lower: Colour, alpha: number) =>
  upper.map((each, i) => alpha * each + (1 - alpha) * lower[i]!) as unknown as Colour

/** Relative luminance. Source: WCAG 2.2, definition of relative luminance. */
function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((each) => {
    const share = each / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Colour
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: Colour, other: Colour): number {
  const [dark, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (bright + 0.05) / (dark + 0.05)
}

/** Contrast of each level with what is drawn around it where the map is strongest, in both themes. */
export function levelContrasts() {
  const tones = [...new Set(LEVEL_FIELDS.map(({ tone }) => tone))]
  return (['dark', 'light'] as const).flatMap((theme) =>
    (['call', 'put'] as const).flatMap((tint) =>
      tones.map((tone) => {
        const panel = colourOf(theme, 'panel')
        const map = over(colourOf(theme, tint), panel, strongest)
        const around = hasEdge ? over(panel, map, opacity) : map
        return { theme, tint, tone, contrast: contrast(over(colourOf(theme, tone), around, opacity), around) }
      })
    )
  )
}
