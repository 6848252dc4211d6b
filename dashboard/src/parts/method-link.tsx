import type { ComponentChildren } from 'preact'

interface MethodLinkProps {
  /** Name of a page in docs/methods. */
  readonly method: string | undefined
  readonly children: ComponentChildren
}

/** Links text to the page about how its figures are computed. */
export function MethodLink({ method, children }: MethodLinkProps) {
  if (method === undefined) return <>{children}</>
  return (
    <a class="method" href={`/methods/${method}.html`} target="_blank" rel="noopener" title="How it is made">
      {children}
    </a>
  )
}

/** Hint of a missing figure. */
export const WHY_NONE = 'There is no such figure here. How it is made, behind its name, says when there is one.'
