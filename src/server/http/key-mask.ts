import { KEY_PREFIX } from '../../accounts/key.ts'

/** A letter in either case, by itself or escaped once or more: g, %67, %2567. */
function written(letter: string): string {
  const codes = [...new Set([letter.toLowerCase(), letter.toUpperCase()])].map((each) =>
    each.charCodeAt(0).toString(16)
  )
  return `(?:${letter}|%(?:25)*(?:${codes.join('|')}))`
}

const keys = new RegExp(`${[...KEY_PREFIX].map(written).join('')}[\\w%]*`, 'gi')

/** A text with everything masked that looks like a key, also one written with percent escapes. */
export function maskKeys(text: string): string {
  return text.replace(keys, `${KEY_PREFIX}…`)
}

/** Whether anything in a text looks like a key. */
export function looksLikeKey(text: string): boolean {
  return text.search(keys) >= 0
}
