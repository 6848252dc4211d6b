import type { Accent, Brand, Upgrade } from './brand.ts'
import { contrastIn, LEAST_CONTRAST, surfaces } from './contrast.ts'
import { logoProblems, MAX_LOGO_BYTES } from './logo.ts'

/** Reads a field of the file. Reports an unusable value by a sentence, and returns undefined then. */
type Reader<Value> = (raw: unknown, read: ReadLogo, problem: (sentence: string) => void) => Value | undefined

/** Reads the text of a file beside the brand's; undefined if there is none. */
export type ReadLogo = (name: string) => string | undefined

const MAX_ADDRESS = 500

const readers: { readonly [Field in keyof Brand]-?: Reader<NonNullable<Brand[Field]>> } = {
  name: (raw, _read, problem) => words(raw, 40) ?? refused(problem, 'name must be a text of 1 to 40 characters'),
  logo: readLogo,
  accent: readAccent,
  support: (raw, _read, problem) =>
    address(raw, ['https:', 'mailto:']) ?? refused(problem, 'support must be an address, https://… or mailto:…'),
  terms: (raw, _read, problem) => address(raw, ['https:']) ?? refused(problem, 'terms must be an address, https://…'),
  upgrade: readUpgrade
}

/** Parses an operator's brand. `problems` gets a sentence for each mistake. */
export function parseBrand(json: unknown, readFile: ReadLogo, problems: string[]): Brand | undefined {
  if (!isObject(json)) {
    problems.push(`it must hold an object with the fields ${Object.keys(readers).join(', ')}`)
    return undefined
  }
  const before = problems.length
  const problem = (sentence: string) => void problems.push(sentence)
  refuseUnknown(json, Object.keys(readers), '', problem)
  if (json['name'] === undefined) problem('name is missing')
  const found = Object.entries(readers).map(([field, read]) => [
    field,
    json[field] === undefined ? undefined : read(json[field], readFile, problem)
  ])
  if (problems.length > before) return undefined
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as unknown as Brand
}

function readLogo(raw: unknown, read: ReadLogo, problem: (sentence: string) => void): string | undefined {
  if (typeof raw !== 'string' || !/^\w[\w.-]{0,80}\.svg$/.test(raw))
    return refused(problem, 'logo must be the name of an SVG file beside it, such as logo.svg')
  const text = read(raw)
  if (text === undefined) return refused(problem, `logo: the file ${raw} cannot be read`)
  if (new TextEncoder().encode(text).length > MAX_LOGO_BYTES)
    return refused(problem, `logo: ${raw} is larger than ${MAX_LOGO_BYTES / 1000} KB`)
  const faults = logoProblems(text)
  for (const fault of faults) problem(`logo: ${raw}: ${fault}`)
  return faults.length === 0 ? text : undefined
}

function readAccent(raw: unknown, _read: ReadLogo, problem: (sentence: string) => void): Accent | undefined {
  const themes = Object.keys(surfaces) as (keyof Accent)[]
  if (!isObject(raw) || !themes.every((theme) => typeof raw[theme] === 'string' && /^#[0-9a-f]{6}$/i.test(raw[theme])))
    return refused(problem, 'accent must give a colour for each theme: {"dark": "#7cbcff", "light": "#0d5cb4"}')
  refuseUnknown(raw, themes, 'accent: ', problem)
  for (const theme of themes) {
    const found = contrastIn(theme, raw[theme] as string)
    if (found < LEAST_CONTRAST)
      problem(
        `accent: ${theme} ${raw[theme]} has a contrast of ${found.toFixed(2)} to the ground of that theme and needs ${LEAST_CONTRAST}`
      )
  }
  return raw as unknown as Accent
}

function readUpgrade(raw: unknown, _read: ReadLogo, problem: (sentence: string) => void): Upgrade | undefined {
  if (!isObject(raw)) return refused(problem, 'upgrade must be an object with address, label and, if wanted, text')
  refuseUnknown(raw, ['address', 'label', 'text'], 'upgrade: ', problem)
  const { label = 'Compare plans', text } = raw
  const found = address(raw['address'], ['https:'])
  const named = words(label, 40)
  const sentence = text === undefined ? undefined : words(text, 200)
  if (found === undefined) problem('upgrade: address must be an address, https://…; {user} and {plan} may stand in it')
  if (named === undefined) problem('upgrade: label must be a text of 1 to 40 characters')
  if (text !== undefined && sentence === undefined) problem('upgrade: text must be a text of 1 to 200 characters')
  if (found === undefined || named === undefined) return undefined
  return { address: found, label: named, ...(sentence !== undefined && { text: sentence }) }
}

/** A text for readers: one line without control characters. */
function words(raw: unknown, most: number): string | undefined {
  if (typeof raw !== 'string' || raw.trim() === '' || raw.length > most || /\p{C}/u.test(raw)) return undefined
  return raw.trim()
}

/** An address of one of these schemes, as it was written. {user} and {plan} may stand behind its host. */
function address(raw: unknown, schemes: readonly string[]): string | undefined {
  if (typeof raw !== 'string' || raw.length > MAX_ADDRESS || /[\s\p{C}"'<>\\]/u.test(raw)) return undefined
  const plain = raw.replaceAll(/(?<=^https:\/\/[^/?#]+[/?#].*)\{(?:user|plan)\}/g, 'x')
  if (/[{}]/.test(plain) || !URL.canParse(plain)) return undefined
  const { protocol, username, password, host } = new URL(plain)
  const isWhole = protocol === 'mailto:' || host !== ''
  return schemes.includes(protocol) && username === '' && password === '' && isWhole ? raw : undefined
}

function refuseUnknown(
  raw: Readonly<Record<string, unknown>>,
  known: readonly string[],
  place: string,
  problem: (sentence: string) => void
): void {
  for (const field of Object.keys(raw))
    if (!known.includes(field)) problem(`${place}the field ${field.slice(0, 40)} is unknown`)
}

const isObject = (raw: unknown): raw is Readonly<Record<string, unknown>> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw)

function refused(problem: (sentence: string) => void, sentence: string): undefined {
  problem(sentence)
  return undefined
}
