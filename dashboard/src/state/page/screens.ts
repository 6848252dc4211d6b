export interface ScreenEntry {
  /** Name in the head and in the list of keys. */
  readonly title: string
  /** Key that opens the screen. */
  readonly key: string
  /** The link in the head: a tab, an icon, or the line about the state of the service; a part is a tab of another screen. */
  readonly link: 'tab' | 'icon' | 'state' | 'part'
  /** The screen that a part stands in. */
  readonly within?: string
}

/**
 * All screens, by their names in the address. Addresses, head, keys and the list of keys follow from this table;
 * `app.tsx` adds the component of each, `parts/head.tsx` the icons.
 */
export const SCREENS = {
  overview: { title: 'Overview', key: '1', link: 'tab' },
  expirations: { title: 'Expirations', key: '2', link: 'tab' },
  'zero-dte': { title: '0DTE', key: '3', link: 'tab' },
  volatility: { title: 'Volatility', key: '4', link: 'tab' },
  hedging: { title: 'Hedging', key: '5', link: 'tab' },
  premium: { title: 'Premium', key: '6', link: 'part', within: 'ideas' },
  lab: { title: 'Lab', key: '7', link: 'tab' },
  screener: { title: 'Screener', key: '8', link: 'tab' },
  alerts: { title: 'Alerts', key: '9', link: 'icon' },
  flow: { title: 'Flow', key: 'o', link: 'tab' },
  ideas: { title: 'Ideas', key: 'i', link: 'tab' },
  workspace: { title: 'Workspace', key: 'w', link: 'icon' },
  account: { title: 'Account', key: ',', link: 'icon' },
  status: { title: 'Status', key: '.', link: 'state' }
} as const satisfies Readonly<Record<string, ScreenEntry>>

export type Screen = keyof typeof SCREENS

/** The screens that a phone has at its foot; the others are in a menu there. */
export const PHONE_TABS = ['overview', 'expirations', 'zero-dte', 'alerts'] as const satisfies readonly Screen[]

/** The screens that one kind of link opens. */
export type ScreenLinkedBy<Link extends ScreenEntry['link']> = {
  [Each in Screen]: (typeof SCREENS)[Each]['link'] extends Link ? Each : never
}[Screen]

export const SCREEN_IDS = Object.keys(SCREENS) as readonly Screen[]

/** The letter that leads to each screen after g: the first one of its title that no screen before it has. */
export const LETTERS: ReadonlyMap<string, Screen> = SCREEN_IDS.reduce((taken, id) => {
  const letter = [...SCREENS[id].title.toLowerCase()].find((each) => !taken.has(each))!
  return taken.set(letter, id)
}, new Map<string, Screen>())

export function screensLinkedBy<Link extends ScreenEntry['link']>(link: Link): readonly ScreenLinkedBy<Link>[] {
  return SCREEN_IDS.filter((each): each is ScreenLinkedBy<Link> => SCREENS[each].link === link)
}
