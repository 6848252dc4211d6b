import { KEY_PREFIX } from '../../accounts/key.ts'

/** Regular expression for a letter in either case, which may be percent-escaped any number of times: g, %67, %2567. */
function written(letter: string): string {
  const codes = [...new Set([letter.toLowerCase(), letter.toUpperCase()])].map((each) =>
    each.charCodeAt(0).toString(16)
  )
  return `(?:${letter}|%(?:25)*(?:${codes.join('|')}))`
}

const keys = new RegExp(`${[...KEY_PREFIX].map(written).join('')}[\\w%]*`, 'gi')

/** Masks all parts of a text that look like an API key, even if they are percent-escaped. */
export function maskKeys(text: string): string {
  return text.replace(keys, `${KEY_PREFIX}…`)
}

export function hasKeyShape(text: string): boolean {
  return text.search(keys) >= 0
}
