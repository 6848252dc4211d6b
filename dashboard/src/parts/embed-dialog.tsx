import { useEffect, useRef } from 'preact/hooks'
import { place } from '../state/page/address.ts'
import { embeddedPanel } from '../state/page/open-dialogs.ts'
import { shownTheme } from '../state/page/reader.ts'
import { Dialog } from './dialog.tsx'

/** Shows the HTML that embeds a panel in another page. */
export default function EmbedDialog() {
  const box = useRef<HTMLDialogElement>(null)
  const panel = embeddedPanel.value
  useEffect(() => box.current?.showModal(), [])
  const { symbol, range, dealers, expirations } = place.value
  const attributes = [
    ...(range === undefined ? [] : [` range="${range}"`]),
    ...(dealers === 'convention' ? [] : [` dealers="${dealers}"`]),
    ...(expirations === undefined ? [] : [` expirations="${expirations}"`])
  ].join('')
  const lines = [
    `<script src="${location.origin}/embed/element.js"></script>`,
    `<gammawall-panel panel="${panel}" symbol="${symbol}" theme="${shownTheme.value}"${attributes} token="..."></gammawall-panel>`
  ].join('\n')
  const copy = () => {
    // Browsers offer the clipboard on secure pages only. Elsewhere the text is selected instead.
    if (navigator.clipboard !== undefined) void navigator.clipboard.writeText(lines)
    else box.current?.querySelector('textarea')?.select()
  }
  return (
    <Dialog
      id="embed"
      title="Show this panel on a page"
      box={box}
      onClose={() => {
        embeddedPanel.value = undefined
      }}
    >
      <textarea class="code" readOnly rows={6} aria-label="Lines for the page" value={lines} />
      <p class="hint">
        The service has to be started with --embed-origin and the origin of that page. The token comes from its server:
        POST /v1/embed/token with {`{"panel": "${panel}", "symbol": "${symbol}"}`} and a key.
      </p>
      <p class="buttons">
        <button type="button" class="primary" onClick={copy}>
          Copy
        </button>
        <button type="submit" class="primary plain">
          Close
        </button>
      </p>
    </Dialog>
  )
}
