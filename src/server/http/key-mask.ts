import { KEY_PREFIX } from '../../accounts/key.ts'

/** Pattern for a letter in either case, plain or percent-escaped any number of times: g, %67, %2567. */
function written(letter: string): string {
  const codes = [...new Set([letter.toLowerCase(), letter.toUpperCase()])].map((each) =>
    each.charCodeAt(0).toString(16)
  )
  return `(?:${letter}|%(?:25)*(?:${codes.join('|')}))`
}

const keys = new RegExp(`${[...KEY_PREFIX].map(written).join('')}[\\w%]*`, 'gi')

/** Masks everything in a text that looks like a key, percent-escaped or not. */
export function maskKeys(text: string): string {
  return text.replace(keys, `${KEY_PREFIX}…`)
}

export function hasKeyShape(text: string): boolean {
  return text.search(keys) >= 0
}
