import { hrefOf } from '../../state/page/address.ts'
import { isGoing } from '../../state/page/open-dialogs.ts'
import { LETTERS, SCREENS } from '../../state/page/screens.ts'
import '../../style/palette.css'

/** The screens by the letters that lead to them, while one of these is awaited. */
export default function GoList() {
  const close = () => {
    isGoing.value = false
  }
  return (
    <nav class="go-list" aria-label="Go to">
      {[...LETTERS].map(([letter, id]) => (
        <a key={id} href={hrefOf({ screen: id })} onClick={close}>
          <kbd>{letter}</kbd> {SCREENS[id].title}
        </a>
      ))}
      <button type="button" class="link" onClick={close}>
        Close
      </button>
    </nav>
  )
}
