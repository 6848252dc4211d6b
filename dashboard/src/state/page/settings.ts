import { signal } from '@preact/signals'

/** Settings that a reader may choose, each with the texts that it may be. */
const FIELDS = {
  theme: /^(dark|light)$/,
  /** The session whose brief was closed, yyyy-MM-dd. */
  brief: /^\d{4}-\d\d-\d\d$/,
  /** The charting program that levels are exported for. */
  program: /^[a-z0-9]{1,20}$/,
  /** How charts draw their bars, else quiet. */
  candles: /^(quiet|hollow|colour|line)$/,
  /** Whether the first steps were taken or declined. */
  steps: /^done$/
} as const

export type Settings = { readonly [Name in keyof typeof FIELDS]?: string }

const NAMES = Object.keys(FIELDS) as readonly (keyof Settings)[]

/** The settings among the fields of an object; what is not one is left out. */
export function settingsOf(given: Readonly<Record<string, unknown>>): Settings {
  const found = NAMES.flatMap((name) => {
    const text = given[name]
    return typeof text === 'string' && FIELDS[name].test(text) ? [[name, text]] : []
  })
  return Object.fromEntries(found)
}

/** The settings that the browser keeps. It may deny storage to embedded panels. */
function kept(): Settings {
  try {
    return settingsOf(Object.fromEntries(NAMES.map((name) => [name, localStorage.getItem(name)])))
  } catch {
    return {}
  }
}

/** Choices of the reader that no address holds. The browser keeps them for the first paint, the service for every device. */
export const settings = signal(kept())

export function changeSettings(change: Settings): void {
  settings.value = { ...settings.value, ...change }
  for (const [name, text] of Object.entries(change)) localStorage.setItem(name, text)
}
