import { type Kind, type Layout, LINKED, type Link, type PanelSpec, type Part, type Split } from './layouts.ts'

/** Layouts that everybody has. A change of one is kept for its reader under the same id. */

const one = (kind: Kind, symbol: string = LINKED, query = '', link: Link = 'blue'): PanelSpec => ({
  kind,
  symbol,
  link,
  query,
  size: 1
})
const split = (way: Split['split'], parts: readonly Part[], size = 1): Part => ({ split: way, parts, size })
const columns = (...parts: readonly Part[]) => split('columns', parts)
const rows = (...parts: readonly Part[]) => split('rows', parts)
const sized = (size: number, part: Part): Part => ({ ...part, size })
const GREEN = '#/workspace/QQQ'

export const PRESETS: Readonly<Record<string, Layout>> = {
  'index-day': {
    name: 'Index day',
    root: rows(columns(one('chart'), one('chart', 'SPX')), columns(one('chart', 'QQQ'), one('chart', 'IWM'))),
    green: GREEN
  },
  'zero-dte-desk': {
    name: '0DTE desk',
    root: columns(
      sized(3, rows(sized(2, one('chart', LINKED, 'range=1d&every=5m')), one('hedging'))),
      sized(2, rows(one('levels'), one('today'), one('reading')))
    ),
    green: GREEN
  },
  'earnings-week': {
    name: 'Earnings week',
    root: columns(
      sized(3, rows(one('chart', LINKED, 'range=20d'), columns(one('terms'), one('smile')))),
      sized(2, rows(one('expirations'), one('levels')))
    ),
    green: GREEN
  },
  'one-chart': { name: 'One chart', root: one('chart'), green: GREEN }
}

export const FIRST_LAYOUT = 'index-day'
/** A new layout begins with one chart. */
export const NEW_ROOT: Part = one('chart')
