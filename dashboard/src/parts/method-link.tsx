import type { ComponentChildren } from 'preact'

interface MethodLinkProps {
  /** The name of a page in docs/methods. */
  readonly method: string | undefined
  readonly children: ComponentChildren
}

/** Words that lead to how the figures beside them are made: formula, units, conventions, source and proof. */
export function MethodLink({ method, children }: MethodLinkProps) {
  if (method === undefined) return <>{children}</>
  return (
    <a class="method" href={`/methods/${method}.html`} target="_blank" rel="noopener" title="How it is made">
      {children}
    </a>
  )
}

/** Said of a dash: why a figure does not exist is part of how it is made. */
export const WHY_NONE = 'There is no such figure here. How it is made, behind its name, says when there is one.'
