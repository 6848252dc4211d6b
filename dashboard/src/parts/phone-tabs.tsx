import { hrefOf, place } from '../state/page/address.ts'
import { openPalette } from '../state/page/palette.ts'
import { changeTheme } from '../state/page/reader.ts'
import { PHONE_TABS, SCREEN_IDS, SCREENS } from '../state/page/screens.ts'
import { ScreenMenu } from './screen-menu.tsx'

const others = SCREEN_IDS.filter((id) => !PHONE_TABS.some((tab) => tab === id))

/** The links to the screens on a phone, at the foot of the page. */
export function PhoneTabs() {
  const { screen } = place.value
  return (
    <nav class="phone-tabs" aria-label="Screens on a phone">
      {PHONE_TABS.map((id) => (
        <a key={id} href={hrefOf({ screen: id })} aria-current={screen === id ? 'page' : undefined}>
          {SCREENS[id].title}
        </a>
      ))}
      <ScreenMenu screens={others} label="More" title="More screens">
        <button type="button" onClick={openPalette}>
          Find
        </button>
        <button type="button" onClick={changeTheme}>
          Dark or light
        </button>
      </ScreenMenu>
    </nav>
  )
}
