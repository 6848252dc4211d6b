import { CustomChart, LineChart, ScatterChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { SVGRenderer } from 'echarts/renderers'
import { type PlotOption, size } from './plot-frame.ts'

use([CustomChart, LineChart, ScatterChart, GridComponent, LegendComponent, TitleComponent, LabelLayout, SVGRenderer])

/** Renders a plot as SVG text without a browser. */
export function svgOf(option: PlotOption): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...size })
  try {
    chart.setOption(option)
    return chart.renderToSVGString({ useViewBox: true })
  } finally {
    chart.dispose()
  }
}
