import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { features } from '../../src/api/feature.ts'
import { chartFigures } from '../../src/app/chart-figures.ts'
import { endpointsWith } from '../../src/endpoints/index.ts'
import { mountOpenBb } from '../../src/server/openbb/mount-openbb.ts'
import { declaredWidgets, idOf } from '../../src/server/openbb/widgets.ts'
import { scriptedSource } from '../support/scripted-source.ts'
import { service } from '../support/service.ts'
import { examplesHistory, pastStrikes } from './openapi/asked-examples.ts'
import { appsSchema, widgetsSchema } from './openbb-format.ts'

const endpoints = endpointsWith(features)
const widgets = declaredWidgets(endpoints, chartFigures)

let host: ReturnType<typeof service>
let key: string
beforeAll(() => {
  host = service({ endpoints, market: { source: scriptedSource(), archive: examplesHistory(), pastStrikes } })
  mountOpenBb(host.app, { endpoints, figures: chartFigures })
  key = host.keyOn('enterprise')
})
afterAll(() => host.close())

const listed = async (path: string) => {
  const answer = await host.ask(path)
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

function faultsOf(schema: object, value: unknown) {
  const check = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema)
  check(value)
  return check.errors ?? []
}

/** What the program asks for a widget that nobody has changed. */
function usualAddress({ endpoint, params }: (typeof widgets)[number]['widget']): string {
  const query = params.map(({ paramName, value }) => [paramName, value === null ? '' : `${value}`] as const)
  return `/${endpoint}?${new URLSearchParams(Object.fromEntries(query))}`
}

describe('the lists', () => {
  test('widgets.json is as the program documents it, without a key', async () => {
    const found = await listed('/widgets.json')
    expect(faultsOf(widgetsSchema, found)).toEqual([])
    expect(Object.keys(found)).toEqual(['udf', ...widgets.map(({ widget }) => idOf(widget.endpoint))])
    for (const [id, { endpoint }] of Object.entries<{ endpoint: string }>(found)) expect(idOf(endpoint)).toBe(id)
  })

  test('apps.json is as the program documents it, and shows six widgets that there are and fit the grid', async () => {
    const [found, byId] = [await listed('/apps.json'), await listed('/widgets.json')]
    expect(faultsOf(appsSchema, found)).toEqual([])
    const [{ tabs, groups }] = found
    const { layout } = tabs.positioning
    expect(layout).toHaveLength(6)
    for (const { i, x, w, state } of layout) {
      expect(Object.keys(byId)).toContain(i)
      expect(x + w).toBeLessThanOrEqual(40)
      const names = byId[i].params.map(({ paramName }: { paramName: string }) => paramName)
      expect(names).toEqual(expect.arrayContaining(Object.keys(state.params ?? {})))
    }
    const placed = layout.map(({ i }: { i: string }) => i)
    for (const { widgetIds } of groups) expect(placed).toEqual(expect.arrayContaining(widgetIds))
  })

  test('hold each endpoint that an address alone can ask', () => {
    const asked = endpoints.filter(({ body, keyPlace }) => body === undefined && keyPlace !== 'header')
    expect([...new Set(widgets.map(({ endpoint }) => endpoint.id))]).toEqual(asked.map(({ id }) => id))
    const announced = declaredWidgets(endpointsWith([]), chartFigures)
    expect(announced.filter(({ endpoint }) => endpoint.id === 'exposure.history')).toEqual([])
  })

  test('offer closed sets, dates, numbers and symbols as such', async () => {
    const { params } = (await listed('/widgets.json')).openbb_exposure_matrix_figures
    const named = Object.fromEntries(params.map((one: { paramName: string }) => [one.paramName, one]))
    expect(named.symbol).toMatchObject({ type: 'endpoint', optionsEndpoint: 'openbb/symbols', value: 'AAPL' })
    expect(named.metric.options).toContainEqual({ label: 'Vex', value: 'vex' })
    expect(named.date).toMatchObject({ type: 'date', value: null })
    expect(named.range_pct.type).toBe('number')
  })
})

const filled: string[] = []

describe.each(widgets.map((one) => [one.name, one] as const))('%s', (_name, { widget, content }) => {
  test('answers with its parameters as they are at first, in the form that its kind shows', async () => {
    const answer = await host.ask(usualAddress(widget), key)
    expect(answer.statusCode, answer.body).toBe(200)
    const body = answer.json()
    if (widget.type === 'markdown') return expect(typeof body).toBe('string')
    if (widget.type === 'metric') {
      for (const figure of body) expect(figure).toEqual({ label: expect.any(String), value: expect.any(String) })
      return
    }
    const { dataKey, table } = widget.data!
    const rows = dataKey === undefined ? body : body[dataKey]
    expect(Array.isArray(rows)).toBe(true)
    if (rows.length > 0) filled.push(widget.endpoint)
    const fields = table!.columnsDefs.map(({ field }) => field)
    for (const row of rows) {
      expect(row !== null && typeof row === 'object' && !Array.isArray(row)).toBe(true)
      expect(fields).toEqual(expect.arrayContaining([...fieldsOf(row, fields)]))
      if (content.kind === 'lines') expect(Object.keys(row)).toEqual(fields)
    }
  })
})

test('most tables have rows on the scripted day, so that their columns were compared with something', () => {
  const tables = widgets.filter(({ widget }) => widget.type === 'table')
  const empty = tables.map(({ widget }) => widget.endpoint).filter((endpoint) => !filled.includes(endpoint))
  expect(filled.length, `without rows: ${empty}`).toBeGreaterThan(0.7 * tables.length)
})

/** Names of the fields of a row; those of objects inside that are columns of their own are joined by dots. */
function fieldsOf(row: object, columns: readonly string[], path = ''): readonly string[] {
  return Object.entries(row).flatMap(([name, value]) => {
    const field = path + name
    const isSplit = columns.some((column) => column.startsWith(`${field}.`))
    if (!isSplit) return [field]
    return value === null ? [] : fieldsOf(value, columns, `${field}.`)
  })
}

describe('a table', () => {
  const rowsOf = async (path: string) => (await host.ask(path, key)).json()

  test('has the rows that the endpoint answers', async () => {
    const { strikes } = (await host.ask('/v1/exposure/gex/AAPL?min_oi=500', key)).json()
    expect((await rowsOf('/openbb/exposure_gex_strikes?symbol=AAPL&min_oi=500&expiration=')).strikes).toEqual(strikes)
  })

  test('of rows deep in an answer has them in the object that holds them', async () => {
    const { volatility } = (await host.ask('/v1/stock/AAPL/summary', key)).json()
    const found = await rowsOf('/openbb/stock_summary_volatility_iv_term_structure?symbol=AAPL')
    expect(found.iv_term_structure).toEqual(volatility.iv_term_structure)
  })

  test('of columns over time has a row for each time', async () => {
    const { t, columns } = (await host.ask('/v1/series/AAPL?fields=net_gex', key)).json()
    const rows = await rowsOf('/openbb/series_current_lines?symbol=AAPL&fields=net_gex')
    expect(rows).toEqual(t.map((at: string, k: number) => ({ t: at, net_gex: columns.net_gex[k] })))
  })

  test('names units: percent, fractions and whole numbers are formatted, dollars are coloured by their sign', () => {
    const columns = new Map(
      widgets.flatMap(({ widget }) => widget.data?.table?.columnsDefs ?? []).map((column) => [column.field, column])
    )
    expect(columns.get('net_gex')).toMatchObject({ cellDataType: 'number', renderFn: 'greenRed' })
    expect(columns.get('call_oi')).toMatchObject({ formatterFn: 'int' })
    expect(columns.get('implied_vol')).toMatchObject({ formatterFn: 'normalizedPercent' })
  })
})

describe('access', () => {
  const gex = '/openbb/exposure_gex_strikes?symbol=AAPL'

  test('is that of the endpoint: a key is needed, in the header or the query, and each answer is counted once', async () => {
    expect((await host.ask(gex)).statusCode).toBe(401)
    const own = host.keyOn('growth')
    const answer = await host.ask(`${gex}&apiKey=${own}`)
    expect([answer.statusCode, answer.headers['x-ratelimit-remaining']]).toEqual([200, '2499'])
  })

  test('refuses a plan that is too low as the endpoint does', async () => {
    const answer = await host.ask('/openbb/flow_oi_figures?symbol=AAPL', host.keyOn('free'))
    expect([answer.statusCode, answer.json()]).toMatchObject([
      403,
      { error: 'tier_restricted', required_plan: 'Alpha' }
    ])
  })

  test('says what is wrong with a request', async () => {
    const ask = async (path: string) => {
      const answer = await host.ask(path, key)
      return [answer.statusCode, answer.json().error]
    }
    expect(await ask('/openbb/nothing')).toEqual([404, 'not_found'])
    expect(await ask('/openbb/exposure_gex_strikes')).toEqual([400, 'invalid_parameter'])
    expect(await ask(`${gex}&min_oi=x`)).toEqual([400, 'invalid_min_oi'])
    expect(await ask('/openbb/exposure_gex_strikes?symbol=..%2F..%2Fadmin')).toEqual([404, 'symbol_not_found'])
  })

  test('lists the symbols as choices', async () => {
    const choices = (await host.ask('/openbb/symbols', key)).json()
    expect(choices).toContainEqual({ label: 'AAPL', value: 'AAPL' })
  })
})
