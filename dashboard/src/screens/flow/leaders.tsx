import type { ReadonlySignal } from '@preact/signals'
import type { AnswerOf } from 'gammawall/client'
import { percent, short, usd } from '../../parts/format.ts'
import { Caption, Contents, stateOf } from '../../parts/panel.tsx'
import { PanelMenu } from '../../parts/panel-menu.tsx'
import { hrefOf } from '../../state/page/address.ts'
import { leaders, outliers, shares } from '../../state/screens/flow-state.ts'

type Leader = Pick<
  AnswerOf<'/v1/flow/options/leaderboard'>['buyers'][number],
  'symbol' | 'netNotional' | 'netVolume' | 'buyVolume' | 'sellVolume' | 'tradeCount'
>

interface Board {
  readonly buyers: readonly Leader[]
  readonly sellers: readonly Leader[]
}

const QUIET = 'No symbol traded in this window.'

const rowsOf = (board: Board | undefined) => (board === undefined ? [] : [...board.buyers, ...board.sellers])

/** Ranks symbols by money of the last four hours. */
export function Leaders() {
  const rare = outliers.answer.value
  return (
    <section class="panel leaders" aria-label="Leaders" {...stateOf([leaders, outliers])}>
      <Ranking name="leaders" title="Options bought, sold" unit="net premium" of={leaders} />
      <Ranking name="shares" title="Shares bought, sold" unit="net money" of={shares} />
      <Caption title="Most one-sided" method="trade-side" legend="options">
        <PanelMenu name="outliers" title="Most one-sided" table={outlierTable} />
      </Caption>
      <Contents of={[outliers]} empty={rare?.outliers.length === 0 ? QUIET : undefined}>
        <table class="facts">
          <tbody>
            {rare?.outliers.map(({ symbol, imbalancePct, skew, notional }) => (
              <tr key={symbol}>
                <th scope="row">
                  <a href={hrefOf({ symbol, expiry: undefined })}>{symbol}</a>
                </th>
                <td class={`n ${skew === 'BUY' ? 'call' : 'put'}`}>
                  {skew === 'BUY' ? '▲' : '▼'} {percent(imbalancePct, 'plain')}
                </td>
                <td class="n">{usd(notional)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Contents>
    </section>
  )
}

interface RankingProps {
  readonly name: string
  readonly title: string
  readonly unit: string
  readonly of: Pick<typeof leaders, 'trouble' | 'isAsking'> & { readonly answer: ReadonlySignal<Board | undefined> }
}

/** Symbols with the largest net premium on either side, with their net volume. */
function Ranking({ name, title, unit, of }: RankingProps) {
  const rows = rowsOf(of.answer.value)
  return (
    <>
      <Caption title={title} method="trade-side" legend={unit}>
        <PanelMenu name={name} title={title} table={() => leaderTable(rows)} />
      </Caption>
      <Contents of={[of]} empty={of.answer.value !== undefined && rows.length === 0 ? QUIET : undefined}>
        <table class="facts">
          <tbody>
            {rows.map((each) => (
              <Row key={each.symbol} {...each} />
            ))}
          </tbody>
        </table>
      </Contents>
    </>
  )
}

function Row({ symbol, netNotional, netVolume }: Leader) {
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf({ symbol, expiry: undefined })}>{symbol}</a>
      </th>
      <td class={`n ${netNotional < 0 ? 'put' : 'call'}`}>
        {netNotional < 0 ? '▼' : '▲'} {usd(netNotional, 'signed')}
      </td>
      <td class="n">{short(netVolume, 'signed')}</td>
    </tr>
  )
}

function leaderTable(rows: readonly Leader[]) {
  return {
    columns: ['symbol', 'net money (USD)', 'net volume', 'bought', 'sold', 'prints'],
    rows: rows.map((each) => [
      each.symbol,
      each.netNotional,
      each.netVolume,
      each.buyVolume,
      each.sellVolume,
      each.tradeCount
    ])
  }
}

function outlierTable() {
  return {
    columns: ['symbol', 'imbalance (%)', 'skew', 'premium (USD)', 'net premium (USD)', 'prints'],
    rows: (outliers.answer.value?.outliers ?? []).map((each) => [
      each.symbol,
      each.imbalancePct,
      each.skew,
      each.notional,
      each.netNotional,
      each.tradeCount
    ])
  }
}
