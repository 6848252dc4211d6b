import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { hrefOf, place } from '../state/page/address.ts'
import { SCREENS, type Screen } from '../state/page/screens.ts'

interface Props {
  readonly screens: readonly Screen[]
  /** Content of the button that opens the menu. */
  readonly label: ComponentChildren
  /** Name of the menu, which has the words of its label. */
  readonly title: string
  /** Further entries, behind the screens. */
  readonly children?: ComponentChildren
}

/** A menu of screens, where there is no room for their links. */
export function ScreenMenu({ screens, label, title, children }: Props) {
  const menu = useRef<HTMLDetailsElement>(null)
  const shut = () => menu.current?.removeAttribute('open')
  const { screen } = place.value
  return (
    // biome-ignore lint/a11y: any choice shuts the menu; the choices themselves are links and buttons
    <details class="menu more" ref={menu} onClick={({ target }) => (target as Element).closest('div') && shut()}>
      <summary aria-label={title} title={title}>
        {label}
      </summary>
      <div>
        {screens.map((id) => (
          <a key={id} href={hrefOf({ screen: id })} aria-current={screen === id ? 'page' : undefined}>
            {SCREENS[id].title}
          </a>
        ))}
        {children}
      </div>
    </details>
  )
}
