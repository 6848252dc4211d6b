/** Largest logo, bytes of UTF-8. */
export const MAX_LOGO_BYTES = 20_000

/** Elements of SVG that draw and run nothing. Source: W3C, Scalable Vector Graphics 2. */
const elements: ReadonlySet<string> = new Set(
  `svg g defs title desc path rect circle ellipse line polyline polygon text tspan symbol use
   linearGradient radialGradient stop clipPath mask`.split(/\s+/)
)

/** An XML declaration, a comment or one tag with its attributes in quotes. */
const markup =
  /<\?xml\s[^<>]*\?>|<!--[^<>]*-->|<\/([A-Za-z][\w.-]*)\s*>|<([A-Za-z][\w.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/g
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/**
 * Says why a text is no logo: it must be SVG that only draws, without scripts, style sheets, addresses of anything
 * outside it, and entities. Pages show logos as images, where browsers run and load nothing anyway. Empty: it is one.
 */
export function logoProblems(text: string): readonly string[] {
  if (!/^\uFEFF?\s*(?:<\?xml\s[^<>]*\?>\s*)?(?:<!--[^<>]*-->\s*)*<svg[\s>]/.test(text))
    return ['it must be SVG and begin with <svg']
  const problems = new Set<string>()
  for (const [, closed, opened, attributes = ''] of text.matchAll(markup)) {
    const element = closed ?? opened
    if (element !== undefined && !elements.has(element)) problems.add(`the element <${element}> is not allowed`)
    for (const [, name = '', inDouble, inSingle = ''] of attributes.matchAll(attribute))
      problems.add(attributeProblem(name, inDouble ?? inSingle) ?? '')
  }
  problems.delete('')
  const rest = text.replace(markup, '')
  if (/[<>]/.test(rest)) problems.add('a part of it is neither text nor a tag with attributes in quotes')
  if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(text))
    problems.add('entities other than &amp; &lt; &gt; &quot; &apos; are not allowed')
  return [...problems]
}

function attributeProblem(name: string, value: string): string | undefined {
  const plain = name.toLowerCase()
  if (plain.startsWith('on')) return `the attribute ${name} is not allowed`
  if (/^(?:xlink:)?href$/.test(plain) && !value.startsWith('#')) return `${name} must name a part of the picture, #name`
  if (/url\(\s*(?!#)/i.test(value) || /@import|[\\]/i.test(value)) return `${name} must not load anything`
  return undefined
}
