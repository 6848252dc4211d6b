import type { ChartLevelId } from '../exposure/levels/chart-levels.ts'
import { level } from './format.ts'

const names: Readonly<Record<ChartLevelId, string>> = {
  gamma_flip: 'Gamma flip',
  call_wall: 'Call wall',
  put_wall: 'Put wall',
  max_pain: 'Max pain',
  zero_dte_magnet: '0DTE magnet',
  zero_dte_call_wall: '0DTE call wall',
  zero_dte_put_wall: '0DTE put wall',
  expected_move_upper: 'Expected move upper',
  expected_move_lower: 'Expected move lower',
  gex_1: 'GEX 1',
  gex_2: 'GEX 2',
  gex_3: 'GEX 3',
  gex_4: 'GEX 4',
  gex_5: 'GEX 5'
}

/**
 * Label of a chart level: its name, its price and, if the level is drawn on another instrument, `symbol`. It contains
 * no commas, quotes or semicolons.
 */
export function chartLabel(id: ChartLevelId, price: number, symbol: string | undefined): string {
  return [names[id], ...(symbol === undefined ? [] : [symbol]), level(price)].join(' ')
}
