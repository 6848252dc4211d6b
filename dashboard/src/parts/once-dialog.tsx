import { useEffect, useRef } from 'preact/hooks'
import { Dialog } from './dialog.tsx'

interface Props {
  readonly id: string
  readonly title: string
  readonly label: string
  readonly sentence: string
  /** Undefined: nothing to show. */
  readonly value: string | undefined
  readonly forget: () => void
}

/** Shows a secret once; closing the dialog drops it. */
export function OnceDialog({ id, title, label, sentence, value, forget }: Props) {
  const box = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (value !== undefined) box.current?.showModal()
  }, [value])
  const copy = () => {
    // Browsers offer the clipboard on secure pages only. Elsewhere the text is selected instead.
    if (navigator.clipboard !== undefined) void navigator.clipboard.writeText(value ?? '')
    else box.current?.querySelector('input')?.select()
  }
  return (
    <Dialog id={id} title={title} box={box} onClose={forget}>
      <p class="once">{sentence}</p>
      <input
        class="field key"
        readOnly
        value={value ?? ''}
        aria-label={label}
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
    </Dialog>
  )
}
