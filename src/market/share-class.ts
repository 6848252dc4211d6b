/** Classes of shares by the symbol of their company, of which options or prices are also listed without a separator. */
const classesOf: Readonly<Record<string, string>> = {
  AKO: 'AB',
  BF: 'AB',
  BIO: 'B',
  BRK: 'AB',
  CRD: 'AB',
  CWEN: 'A',
  EBR: 'B',
  GEF: 'B',
  GTN: 'A',
  HEI: 'A',
  HVT: 'A',
  JW: 'AB',
  LEN: 'B',
  LGF: 'AB',
  MKC: 'V',
  MOG: 'AB',
  PBR: 'A',
  RDS: 'AB',
  STZ: 'B',
  TAP: 'A',
  UHAL: 'B',
  WSO: 'B'
}

const joined: ReadonlyMap<string, string> = new Map(
  Object.entries(classesOf).flatMap(([company, classes]) =>
    [...classes].map((letter) => [`${company}${letter}`, `${company}.${letter}`] as const)
  )
)

/** Matches preferred shares as exchanges and vendors write them: BAC-PL, BAC PRL, BAC.PR.L, BAC/PL, BAC^L. */
const preferred = /^([A-Z]{1,5})(?:[ ./-]PR[ ./-]?|[./-]P|-P-|\^)([A-Z])$/
/** Matches the forms in which the letter P is small: BACpL, BAC_pL, and BAC_pl of Reuters. */
const preferredSmall = /^([A-Z]{1,5})(?:p(?=[A-Z])|_p)([A-Za-z])$/
const shareClass = /^([A-Z]{1,5})[ ./_-]([A-Z])$/

/**
 * Canonical spelling of a class of shares or a preferred share: BRK.B for BRK-B, BRK/B, BRK B, BRK_B, BRKB and brk.b;
 * BAC-PL for the forms of preferred shares. Other texts are returned in upper case, and as they are if a letter of them is not
 * Latin: in upper case some of those look like others.
 */
export function shareSpelling(text: string): string {
  if (!/^[ -~]*$/.test(text)) return text
  const upper = text.toUpperCase()
  const [, company, series] = preferredSmall.exec(text) ?? preferred.exec(upper) ?? []
  if (company !== undefined) return `${company}-P${series.toUpperCase()}`
  const [, owner, letter] = shareClass.exec(upper) ?? []
  if (owner !== undefined) return `${owner}.${letter}`
  return joined.get(upper) ?? upper
}
