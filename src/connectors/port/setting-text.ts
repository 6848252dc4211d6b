import { existsSync } from 'node:fs'

// Each reads the text of a setting; undefined means that the text is not what the setting takes.

/** A whole number from `least` to `most`, as a person writes it: no hexadecimal, no leading zero. */
export function wholeNumber(least: number, most: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN
    return Number.isSafeInteger(value) && value >= least && value <= most ? value : undefined
  }
}

/** An http or https address without its last slash, so that a path can be put behind it. */
export function readAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return undefined
  return text.replace(/\/+$/, '')
}

/** The path of a folder or file that exists. */
export function existingPath(text: string): string | undefined {
  return existsSync(text) ? text : undefined
}
