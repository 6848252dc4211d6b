import Type from 'typebox'
import { block } from '../../api/block.ts'
import { Notional } from '../../api/quantity.ts'
import { type NetExposures, vannaPerPoint } from '../../exposure/net.ts'

/** Unit of charm exposures, as responses describe it. */
export const charmUnit = 'USD of delta gained per calendar day passing; of contracts that expire today, to their expiry'

/** The four net exposures: gamma, delta, vanna and charm. */
export const netBlock = block(
  Type.Object({
    net_gex: Notional('USD of delta gained per 1 % move of spot'),
    net_dex: Notional('USD delta of the option holders'),
    net_vex: Notional('USD of delta gained per +1.00 of volatility'),
    net_chex: Notional(charmUnit)
  }),
  ({ gex, dex, vex, chex }: NetExposures) => ({ net_gex: gex, net_dex: dex, net_vex: vex, net_chex: chex })
)

/** The net exposures of responses with sentences, which state vanna per volatility point. */
export const spokenNetBlock = block(
  Type.Object(
    {
      ...netBlock.schema.properties,
      net_vex_per_point: Notional('USD of delta gained per volatility point: net_vex / 100')
    },
    { title: 'NetExposures' }
  ),
  (net: NetExposures) => ({ ...netBlock.fill(net), net_vex_per_point: vannaPerPoint(net) })
)
