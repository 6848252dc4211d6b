import type { ComponentChildren, RefObject } from 'preact'

interface DialogProps {
  /** Also the prefix of the title's id. */
  readonly id: string
  readonly title: string
  readonly box?: RefObject<HTMLDialogElement | null>
  readonly onClose?: () => void
  readonly onSubmit?: (event: SubmitEvent) => void
  readonly children: ComponentChildren
}

/** A dialog named by its title. A button of type submit closes it. */
export function Dialog({ id, title, box, onClose, onSubmit, children }: DialogProps) {
  return (
    <dialog id={id} aria-labelledby={`${id}-title`} {...(box && { ref: box })} {...(onClose && { onClose })}>
      <form method="dialog" {...(onSubmit && { onSubmit })}>
        <h2 id={`${id}-title`}>{title}</h2>
        {children}
      </form>
    </dialog>
  )
}
