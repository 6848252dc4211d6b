const MAX_LENGTH = 200

/** A text of the vendor as a log may show it: without the secrets, on one line, and not long. */
export function masked(text: string, ...secrets: readonly string[]): string {
  const line = withoutSecrets(text, secrets)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}...` : line
}

/**
 * A text without the secrets, as they are, as JSON writes them and as addresses do, in which other characters are
 * percent-encoded, in capitals or not.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter((secret) => secret !== '')
    .flatMap(formsOf)
    .sort((a, b) => b.length - a.length) // one may be the beginning of another
  return forms.reduce((told, form) => told.replaceAll(form, '***'), text)
}

function formsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const encoded = [encodeURIComponent(secret), new URLSearchParams([['', secret]]).toString().slice(1)]
  const inSmall = encoded.map((form) => form.replace(/%../g, (code) => code.toLowerCase()))
  // JSON may put a backslash before a slash, too.
  return [secret, json, json.replaceAll('/', '\\/'), ...encoded, ...inSmall]
}
