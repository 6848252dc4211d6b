// The lists of OpenBB Workspace as its documentation describes them: "widgets.json Reference", "apps.json Reference",
// "Advanced Charting", and "Input Parameters" of docs.openbb.co/workspace.

const text = { type: 'string', minLength: 1 }
const object = (properties: Readonly<Record<string, object>>, required: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required
})
const oneOf = (...words: readonly string[]) => ({ type: 'string', enum: words })
const grid = object(
  { w: { type: 'integer', minimum: 1, maximum: 40 }, h: { type: 'integer', minimum: 1, maximum: 100 } },
  ['w', 'h']
)
const scalar = { type: ['string', 'number', 'boolean', 'null'] }

const chartView = object({
  enabled: { type: 'boolean' },
  chartType: oneOf('column', 'bar', 'line', 'scatter', 'area', 'histogram', 'heatmap', 'pie')
})

const column = object(
  {
    field: text,
    headerName: text,
    headerTooltip: text,
    cellDataType: oneOf('text', 'number', 'boolean', 'date', 'dateString', 'object'),
    formatterFn: oneOf('int', 'none', 'percent', 'normalized', 'normalizedPercent', 'dateToYear'),
    renderFn: oneOf('greenRed', 'titleCase', 'hoverCard', 'cellOnClick', 'columnColor', 'showCellChange'),
    chartDataType: oneOf('category', 'series', 'time', 'excluded')
  },
  ['field']
)

const parameter = object(
  {
    type: oneOf('date', 'text', 'ticker', 'number', 'boolean', 'endpoint', 'form'),
    paramName: text,
    value: scalar,
    label: text,
    optionsEndpoint: text,
    show: { type: 'boolean' },
    description: text,
    multiSelect: { type: 'boolean' },
    options: { type: 'array', minItems: 1, items: object({ label: text, value: scalar }, ['label', 'value']) }
  },
  ['type', 'paramName', 'label']
)

const widget = object(
  {
    name: text,
    description: text,
    endpoint: text,
    category: text,
    subCategory: text,
    source: { type: 'array', items: text },
    type: oneOf('table', 'metric', 'markdown', 'advanced_charting'),
    gridData: grid,
    refetchInterval: { anyOf: [{ const: false }, { type: 'integer', minimum: 1000 }] },
    params: { type: 'array', items: parameter },
    data: object({
      dataKey: text,
      table: object({
        enableCharts: { type: 'boolean' },
        showAll: { type: 'boolean' },
        chartView,
        columnsDefs: { type: 'array', minItems: 1, items: column }
      }),
      defaultSymbol: text,
      updateFrequency: { type: 'integer', minimum: 1000 }
    })
  },
  ['name', 'description', 'endpoint', 'type', 'gridData']
)

export const widgetsSchema = { type: 'object', additionalProperties: widget, minProperties: 1 }

const place = object(
  {
    i: text,
    x: { type: 'integer', minimum: 0, maximum: 39 },
    y: { type: 'integer', minimum: 0 },
    w: { type: 'integer', minimum: 1, maximum: 40 },
    h: { type: 'integer', minimum: 1 },
    state: object({ params: { type: 'object', additionalProperties: scalar }, chartView })
  },
  ['i', 'x', 'y', 'w', 'h']
)

const app = object(
  {
    name: text,
    img: { type: 'string' },
    description: text,
    allowCustomization: { type: 'boolean' },
    tabs: {
      type: 'object',
      additionalProperties: object({ id: text, name: text, layout: { type: 'array', items: place } }, [
        'id',
        'name',
        'layout'
      ])
    },
    groups: {
      type: 'array',
      items: object(
        {
          name: { type: 'string', pattern: '^Group [1-9]\\d*$' },
          type: oneOf('param', 'endpointParam'),
          paramName: text,
          defaultValue: scalar,
          widgetIds: { type: 'array', minItems: 1, items: text }
        },
        ['name', 'type', 'paramName', 'widgetIds']
      )
    },
    prompts: { type: 'array', items: text }
  },
  ['name', 'description', 'allowCustomization', 'tabs', 'groups']
)

export const appsSchema = { type: 'array', minItems: 1, items: app }
