import Type from 'typebox'
import { block } from '../../../api/block.ts'
import { Day, Greek, Price } from '../../../api/quantity.ts'
import type { GreekRow } from '../../../pricing/greek-row.ts'
import type { GreekSurface } from '../../../volatility/surface/greek-surface.ts'

const surface = (description: string) =>
  Type.Object({
    strikes: Type.Array(Price()),
    expiries: Type.Array(Day()),
    values: Type.Array(Type.Array(Greek(`${description}; by expiry, then by strike`)))
  })

/** Surfaces of four greeks over the same grid of expirations and strikes. */
export const greekSurfacesBlock = block(
  Type.Object(
    {
      vanna: surface('delta per 1.00 of volatility'),
      charm: surface('delta of a call per calendar day passing'),
      volga: surface('USD per share and 1.00 of volatility squared'),
      speed: surface('gamma per USD of spot')
    },
    { title: 'GreekSurfaces' }
  ),
  ({ strikes, rows }: GreekSurface) => {
    const grid = (name: keyof GreekRow) => ({
      strikes: Array.from(strikes),
      expiries: rows.map(({ date }) => date),
      values: rows.map(({ greeks }) => Array.from(greeks[name]))
    })
    return { vanna: grid('vanna'), charm: grid('charm'), volga: grid('volga'), speed: grid('speed') }
  }
)
