const MAX_LENGTH = 200

/** Prepares a vendor's text for a log: secrets masked, on one line, shortened. */
export function masked(text: string, ...secrets: readonly string[]): string {
  const line = withoutSecrets(text, secrets)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}...` : line
}

/** Masks secrets in a text: as they are, as JSON writes them, and percent-encoded in upper or lower case. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter((secret) => secret !== '')
    .flatMap(formsOf)
    .sort((a, b) => b.length - a.length) // longest first, since one secret may be the beginning of another
  return forms.reduce((line, form) => line.replaceAll(form, '***'), text)
}

function formsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const encoded = [encodeURIComponent(secret), new URLSearchParams([['', secret]]).toString().slice(1)]
  const inSmall = encoded.map((form) => form.replace(/%../g, (code) => code.toLowerCase()))
  // JSON may also escape slashes.
  return [secret, json, json.replaceAll('/', '\\/'), ...encoded, ...inSmall]
}
