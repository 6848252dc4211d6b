import { hrefOf, screen } from '../../state/page/address.ts'
import '../../style/ideas.css'

const TABS = [
  ['ideas', 'Signals and reports'],
  ['premium', 'Volatility premium']
] as const

/** The parts of Ideas, each a screen with an address of its own. */
export function IdeasTabs() {
  return (
    <nav class="choices ideas-tabs" aria-label="Ideas">
      {TABS.map(([id, name]) => (
        <a key={id} href={hrefOf({ screen: id })} aria-current={screen.value === id ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}
