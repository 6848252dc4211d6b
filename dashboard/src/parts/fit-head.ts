/** The head gives these up one after the other where it has no room for every link. */
const GIVEN_UP = ['dollars', 'find', 'hints', 'change', 'zone', 'note', 'links'] as const

/**
 * Keeps every link of the head whole: gives up as little as is needed, at last the links that are then in a menu. Follows
 * the sizes of its parts until the returned function is called.
 */
export function fitHead(head: HTMLElement): () => void {
  const links = head.querySelector('nav')!
  const fit = () => {
    for (let count = 0; count <= GIVEN_UP.length; count++) {
      head.dataset['without'] = GIVEN_UP.slice(0, count).join(' ')
      if (links.scrollWidth <= links.clientWidth + 1) return
    }
  }
  const sizes = new ResizeObserver(fit)
  sizes.observe(head)
  for (const part of head.children) sizes.observe(part)
  // A note that was given up changes no size when another takes its place. The clock beside it is always as wide.
  const isOfClock = ({ target }: MutationRecord) => target.parentElement?.closest('time') !== null
  const words = new MutationObserver((changes) => {
    if (!changes.every(isOfClock)) fit()
  })
  words.observe(head.querySelector('.state')!, { subtree: true, childList: true, characterData: true })
  fit()
  return () => {
    sizes.disconnect()
    words.disconnect()
  }
}
