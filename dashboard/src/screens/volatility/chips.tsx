import { useEffect, useRef } from 'preact/hooks'
import { fixed } from '../../parts/format.ts'
import { Contents, stateOf } from '../../parts/panel.tsx'
import { shortDate } from '../../state/day/time.ts'
import { hrefOf, turn } from '../../state/page/address.ts'
import { slice, slices, surface } from '../../state/screens/volatility-state.ts'

/** Expirations with their days and at-the-money volatility. */
export function Chips() {
  const list = useRef<HTMLElement>(null)
  const shown = slice.value?.expiry
  // Scrolls to the chosen expiration when it changes.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [shown])
  const step = (event: KeyboardEvent) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (way === undefined) return
    event.preventDefault()
    const at = slices.value.findIndex(({ expiry }) => expiry === shown)
    const next = slices.value[at + way]
    if (next !== undefined) turn({ expiry: next.expiry })
  }
  return (
    <section class="panel strip" aria-label="Expirations" {...stateOf([surface])}>
      <Contents of={[surface]} method="surface">
        <nav ref={list} class="chips" aria-label="Expirations" onKeyDown={step}>
          {slices.value.map(({ expiry, days_to_expiry, atm_iv }) => (
            <a key={expiry} href={hrefOf({ expiry })} aria-current={expiry === shown ? 'true' : undefined}>
              <b>{shortDate(expiry)}</b>
              <span>
                {days_to_expiry}d · {fixed(atm_iv, 1)}
              </span>
            </a>
          ))}
        </nav>
      </Contents>
    </section>
  )
}
