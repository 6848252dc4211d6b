import { Fact } from '../../parts/fact.tsx'
import { fixed } from '../../parts/format.ts'
import { Caption, Contents } from '../../parts/panel.tsx'
import { go, place } from '../../state/page/address.ts'
import { BASKET } from '../../state/page/place.ts'
import { basket, dispersion } from '../../state/screens/premium-state.ts'

/** Index volatility against that of its members, and the correlation that explains the difference. */
export function Basket() {
  const found = dispersion.answer.value
  const choose = (text: string) => {
    const wanted = text.toUpperCase().replaceAll(/[\s,;]+/g, ',')
    go({ basket: BASKET.test(wanted) ? wanted : undefined })
  }
  const missing = found?.missing_symbols ?? []
  return (
    <>
      <Caption
        title="Dispersion"
        method="correlation"
        legend={found === undefined ? '' : `${found.horizon_days} days`}
      />
      <form
        class="basket"
        onSubmit={(event) => {
          event.preventDefault()
          choose(String(new FormData(event.currentTarget).get('basket')))
        }}
      >
        <input
          key={basket.value}
          name="basket"
          defaultValue={basket.value.replaceAll(',', ' ')}
          aria-label={`Basket to compare ${place.value.symbol} with`}
          title="Tickers; leave empty for the usual ones"
          autocapitalize="characters"
          autocomplete="off"
          spellcheck={false}
        />
      </form>
      <Contents of={[dispersion]}>
        <table class="facts">
          <tbody>
            <Fact name="Implied correlation" value={fixed(found?.implied_correlation, 2)} />
            <Fact
              name="Realized"
              value={fixed(found?.realized_correlation, 2)}
              note={fixed(found?.correlation_premium, 2, 'signed')}
            />
            <Fact
              name="Index / basket"
              value={`${inPercent(found?.implied_vol_index)} / ${inPercent(found?.implied_vol_basket)}`}
              note="%"
            />
          </tbody>
        </table>
        {missing.length > 0 && <p class="remark">Without {missing.join(', ')}: nothing is held of them.</p>}
      </Contents>
    </>
  )
}

/** The answer has fractions; the page shows percent. */
function inPercent(fraction: number | undefined): string {
  return fixed(fraction === undefined ? undefined : fraction * 100, 2)
}
