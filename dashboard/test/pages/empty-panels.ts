import type { Page } from 'playwright-core'

/** A place of a page that has nothing to show. */
export interface EmptyPlace {
  readonly panel: string
  readonly sentence: string
  /** Names of the links and buttons that lead on. */
  readonly ways: readonly string[]
}

/**
 * The places in sight that have nothing to show: those that say so, and panels whose contents have neither a figure, a
 * picture nor anything to do.
 */
export function emptyPlaces(page: Page): Promise<readonly EmptyPlace[]> {
  return page.evaluate(() => {
    const isSeen = (element: Element) => element.getClientRects().length > 0
    const textOf = (element: Element) => (element as HTMLElement).innerText.replace(/\s+/g, ' ').trim()
    const nameOf = (element: Element) =>
      element.closest('[aria-label]')?.getAttribute('aria-label') ?? element.className.toString()
    const waysOf = (element: Element) => [...element.querySelectorAll('a[href], button')].filter(isSeen).map(textOf)
    const placed = [...document.querySelectorAll('main .empty, main .note-in')].filter(
      (each) => isSeen(each) && !each.matches('[aria-busy], .note-in[role=status]') // what passes by itself
    )
    const bare = [...document.querySelectorAll('main .panel')].filter((panel) => {
      if (!isSeen(panel) || panel.querySelector('.empty, .note-in') !== null) return false
      if (panel.querySelector('canvas, input, select, textarea, svg path, .pays') !== null) return false
      if (panel.querySelector(':scope > :not(.caption, header) :is(a[href], button)') !== null) return false
      // Names alone, of columns or of figures that are dashes, are nothing to read.
      const names = [...panel.querySelectorAll('.caption, header, h1, h2, h3, thead, dt')].filter(isSeen)
      const said = names.reduce((text, name) => text.replace(textOf(name), ''), textOf(panel))
      return said.replace(/[–\s]/g, '') === ''
    })
    return [...placed, ...bare].map((element) => ({
      panel: nameOf(element),
      sentence: placed.includes(element) ? textOf(element) : '',
      ways: waysOf(element)
    }))
  })
}

/** Finds the places that leave a reader without a word or without a way on. */
export const deadEnds = (places: readonly EmptyPlace[]): readonly EmptyPlace[] =>
  places.filter(({ sentence, ways }) => ways.length === 0 || !/[a-z].*[.!]/.test(sentence))
