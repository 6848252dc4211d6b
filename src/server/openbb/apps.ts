import { chartWidget, type DeclaredWidget, idOf } from './widgets.ts'

interface Place {
  readonly i: string
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  readonly state: object
}

const SYMBOL = 'SPY'

/** What the app shows: a widget by its name, where it is on a grid of 40 columns, and how its rows are drawn at first. */
const positioning = [
  { name: undefined, x: 0, y: 0, w: 24, h: 16, chart: undefined },
  { name: 'exposure_levels_figures', x: 24, y: 0, w: 16, h: 16, chart: undefined },
  { name: 'exposure_gex_strikes', x: 0, y: 16, w: 20, h: 14, chart: 'column' },
  { name: 'exposure_term_structure_by_expiry', x: 20, y: 16, w: 20, h: 14, chart: 'column' },
  { name: 'maxpain_current_pain_curve', x: 0, y: 30, w: 20, h: 14, chart: 'line' },
  { name: 'exposure_narrative_text', x: 20, y: 30, w: 20, h: 14, chart: undefined }
] as const

/** Content of apps.json: one app of six widgets that share their symbol. Widgets of endpoints that are off are left out. */
export function openBbApps(widgets: readonly DeclaredWidget[]): readonly object[] {
  const ofSymbol: string[] = []
  const layout = positioning.flatMap(({ name, chart, ...place }): readonly Place[] => {
    if (name === undefined) return [{ i: idOf(chartWidget.endpoint), ...place, state: {} }]
    const widget = widgets.find((one) => one.name === name)?.widget
    if (widget === undefined) return []
    const i = idOf(widget.endpoint)
    ofSymbol.push(i)
    const drawn = chart === undefined ? {} : { chartView: { enabled: true, chartType: chart } }
    return [{ i, ...place, state: { params: { symbol: SYMBOL }, ...drawn } }]
  })
  // The program takes groups by names of this form alone.
  const group = { name: 'Group 1', type: 'endpointParam', paramName: 'symbol', defaultValue: SYMBOL }
  return [
    {
      name: 'Dealer positioning',
      img: '',
      description:
        'Where dealers hedge: price and levels, gamma by strike and expiration, max pain, and what follows from them.',
      allowCustomization: true,
      tabs: { positioning: { id: 'positioning', name: 'Positioning', layout } },
      groups: [{ ...group, widgetIds: ofSymbol }],
      prompts: []
    }
  ]
}
