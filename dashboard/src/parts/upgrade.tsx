import { brand } from '../state/page/brand.ts'

/** The way to a higher plan, in the operator's words, if there is one. */
export function Upgrade() {
  const { upgrade } = brand
  if (upgrade === undefined) return null
  return (
    <>
      {' '}
      {upgrade.text}{' '}
      <a class="link" href="/session/upgrade" target="_blank" rel="noopener">
        {upgrade.label}
      </a>
    </>
  )
}
