import type { ComponentChildren } from 'preact'
import { expirations, hrefOf } from '../state/page/address.ts'
import { useFocus } from './focus-context.ts'

/** A link or button by which a reader goes on from a panel that has nothing to show. */
export type Way = readonly [name: string, href: string]

interface Reason {
  /** Code of the refusal; undefined: an answer without rows. */
  readonly code?: string | undefined
  /** Page of docs/methods about the figures. */
  readonly method?: string | undefined
}

/** Finds the way on by the reason: what removes it, else what explains it. */
function useWay({ code = '', method }: Reason): Way {
  const { at } = useFocus().subject
  if (/tier|quota/.test(code)) return ['See your plan', hrefOf({ screen: 'account' })]
  if (/symbol/.test(code)) return ['See the symbols that are held', hrefOf({ screen: 'screener' })]
  const isLacking = /^no_|^insufficient_/.test(code)
  if (code !== '' && !isLacking) return ['See the status', hrefOf({ screen: 'status' })]
  if (expirations.value !== undefined) return ['Show all expirations', hrefOf({ expirations: undefined })]
  if (at.value !== undefined) return ['Show it live', hrefOf({ at: undefined })]
  if (isLacking) return ['Import its past', '/docs/import']
  return method === undefined
    ? ['See the status', hrefOf({ screen: 'status' })]
    : ['How it is made', `/docs/methods/${method}`]
}

interface EmptyProps extends Reason {
  /** Way on that suits better than that of the reason. */
  readonly way?: Way | undefined
  /** Style: over a picture, else in its place. */
  readonly kind?: 'note-in' | 'empty'
  readonly role?: 'status' | undefined
  readonly children: ComponentChildren
}

/** Says why there is nothing to show, and leads on. */
export function Empty({ way, kind = 'empty', role, children, ...reason }: EmptyProps) {
  const found = useWay(reason)
  const [name, href] = way ?? found
  return (
    <p class={kind} role={role}>
      {children}{' '}
      <a class="link on-own-page" href={href} {...(href.startsWith('/') && { target: '_blank', rel: 'noopener' })}>
        {name}
      </a>
    </p>
  )
}
