import { profileChart } from '../../charts/profile-chart.tsx'
import { Panel } from '../../parts/panel.tsx'
import { place, turn } from '../../state/page/address.ts'
import { base, chosen, gamma, isMoved, moved, shown } from '../../state/screens/hedging-state.ts'
import { Toggle } from '../stage/toggle.tsx'
import '../../style/day.css'

const Gamma = profileChart({
  of: gamma,
  at: () => chosen.peek()?.gex,
  label: 'Net gamma of dealers over prices of the underlying, with flips, walls and the chosen price',
  isMain: true
})
/** Net gamma over prices, with flips and walls. */
export function GammaProfilePanel() {
  const { scale } = place.value
  return (
    <Panel
      name="gamma-profile"
      embed="profile"
      title="Gamma at every price"
      method="exposure-profile"
      of={[base, ...(isMoved.value ? [moved] : [])]}
      table={profileTable}
      legend={
        <>
          <i class="swatch call" />
          dealers dampen <i class="swatch put" />
          they amplify <i class="line dash" />
          flip{' '}
          {isMoved.value && (
            <>
              <i class="line faint dashes" />
              as things stand
            </>
          )}
        </>
      }
      actions={
        <Toggle
          name="Root scale"
          sign="√"
          hint="Root or linear scale (k)"
          isOn={scale === 'root'}
          act={() => turn({ scale: scale === 'root' ? 'linear' : 'root' })}
        />
      }
    >
      <Gamma />
    </Panel>
  )
}

export function profileTable() {
  const found = shown.value
  const setting = found === undefined ? '' : `, ${found.when.replace('_', ' ')}, volatility ${found.vol_shift} points`
  return {
    columns: [`price (USD)${setting}`, 'gex (USD per 1 %)', 'dex (USD)', 'vex (USD per 1.00 vol)', 'chex (USD a day)'],
    rows: (found?.spots ?? []).map((spot, i) => [spot, found!.gex[i]!, found!.dex[i]!, found!.vex[i]!, found!.chex[i]!])
  }
}
