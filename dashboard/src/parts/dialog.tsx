import type { ComponentChildren, RefObject } from 'preact'

interface DialogProps {
  /** The begin of the id of its title too. */
  readonly id: string
  readonly title: string
  readonly box?: RefObject<HTMLDialogElement | null>
  readonly onClose?: () => void
  readonly children: ComponentChildren
}

/** A dialog that is named by its title; a button of type submit closes it. */
export function Dialog({ id, title, box, onClose, children }: DialogProps) {
  return (
    <dialog id={id} aria-labelledby={`${id}-title`} {...(box && { ref: box })} {...(onClose && { onClose })}>
      <form method="dialog">
        <h2 id={`${id}-title`}>{title}</h2>
        {children}
      </form>
    </dialog>
  )
}
