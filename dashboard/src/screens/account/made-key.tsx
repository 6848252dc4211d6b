import { useEffect, useRef } from 'preact/hooks'
import { madeKey } from '../../state/admin.ts'

/** A new key, shown this once: closing forgets it. */
export function MadeKeyDialog() {
  const box = useRef<HTMLDialogElement>(null)
  const made = madeKey.value
  useEffect(() => {
    if (made !== undefined) box.current?.showModal()
  }, [made])
  const copy = () => {
    // Without TLS a browser keeps the clipboard to itself: then the key stands selected.
    if (navigator.clipboard !== undefined) void navigator.clipboard.writeText(made?.key ?? '')
    else box.current?.querySelector('input')?.select()
  }
  return (
    <dialog
      ref={box}
      aria-labelledby="made-title"
      onClose={() => {
        madeKey.value = undefined
      }}
    >
      <form method="dialog">
        <h2 id="made-title">The new key of {made?.email}</h2>
        <p class="once">It is shown this once. The service keeps its hash alone: who loses it makes another one.</p>
        <input
          class="field key"
          readOnly
          value={made?.key ?? ''}
          aria-label="The new key"
          onFocus={(event) => event.currentTarget.select()}
        />
        <p class="pair">
          <button type="button" class="primary" onClick={copy}>
            Copy
          </button>
          <button type="submit" class="small">
            Done
          </button>
        </p>
      </form>
    </dialog>
  )
}
