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
    <a class="method" href={`/docs/methods/${method}`} target="_blank" rel="noopener" title="Method">
      {children}
    </a>
  )
}

/** Hint of a missing figure. */
export const WHY_NONE = 'This figure is not available here. The method page behind its name says when it is.'
