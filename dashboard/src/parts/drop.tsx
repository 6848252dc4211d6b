import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Props {
  /** Contents of the button. */
  readonly name: ComponentChildren
  /** Styles of the button. */
  readonly kind?: string | undefined
  readonly hint?: string | undefined
  readonly onToggle?: (isOpen: boolean) => void
  readonly children: ComponentChildren
}

/** A list that a button opens. It closes by Escape, when the focus leaves it, and at a press elsewhere. */
export function Drop({ name, kind = 'chip', hint, onToggle, children }: Props) {
  const box = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const shown = box.current!
    const press = ({ target }: PointerEvent) => {
      if (!shown.contains(target as Node)) shown.open = false
    }
    // The list may grow while it is open.
    const size = new ResizeObserver(() => placeBelow(shown))
    size.observe(shown.querySelector('div')!)
    document.addEventListener('pointerdown', press)
    return () => {
      size.disconnect()
      document.removeEventListener('pointerdown', press)
    }
  }, [])
  return (
    <details
      class="drop"
      ref={box}
      onToggle={({ currentTarget }) => {
        placeBelow(currentTarget)
        onToggle?.(currentTarget.open)
      }}
      onKeyDown={(event) => {
        const { key, currentTarget } = event
        if (key !== 'Escape' || !currentTarget.open) return
        event.preventDefault()
        currentTarget.open = false
        currentTarget.querySelector('summary')?.focus()
      }}
      onFocusOut={({ relatedTarget, currentTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget as Node)) currentTarget.open = false
      }}
    >
      <summary class={kind} title={hint}>
        {name}
      </summary>
      <div>{children}</div>
    </details>
  )
}

/** Puts an opened list below its button: what holds the button may scroll, so that styles alone cannot place the list. */
function placeBelow(box: HTMLDetailsElement): void {
  const { left, bottom } = box.getBoundingClientRect()
  const list = box.querySelector<HTMLElement>('div')!
  list.style.left = `${Math.max(4, Math.min(left, innerWidth - list.offsetWidth - 8))}px`
  list.style.top = `${Math.max(4, Math.min(bottom + 4, innerHeight - list.offsetHeight - 8))}px`
}
