const LONGEST = 200

/** A text of the vendor as a log may show it: without the secrets, on one line, and not long. */
export function masked(text: string, ...secrets: readonly string[]): string {
  const line = withoutSecrets(text, secrets)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}...` : line
}

/** A text without the secrets, as they are and as addresses write them, in which other characters are percent-encoded. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, encodeURIComponent(secret), new URLSearchParams([['', secret]]).toString().slice(1)])
    .sort((a, b) => b.length - a.length) // one may be the beginning of another
  return forms.reduce((told, form) => told.replaceAll(form, '***'), text)
}
