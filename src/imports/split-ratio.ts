/** Largest number of new shares for one old share, or of old shares for one new one. */
const MAX_RATIO = 10_000

const count = String.raw`(\d+(?:\.\d+)?|\.\d+)`
const single = new RegExp(`^${count}$`)
const pair = new RegExp(
  String.raw`^${count}\s*(:|\/|-?\s*(?:for|to)\s*-?|\s+new\s+for\s+)\s*${count}(?:\s+old)?(?:\s+(?:stock\s+)?splits?)?$`,
  'i'
)

/**
 * Reads the ratio of a split, new shares for one old share: `4:1`, `4/1`, `4-for-1`, `4 for 1`, `4 to 1` and `4` are 4;
 * `1-for-10`, `1:10` and `0.1` are 0.1. 1 cancels a split. Undefined for anything else, and for ratios beyond 10,000.
 */
export function splitRatio(text: string): number | undefined {
  const trimmed = text.trim()
  const one = single.exec(trimmed)?.[1]
  const [, after, , before] = pair.exec(trimmed) ?? []
  const ratio = one === undefined ? Number(after) / Number(before) : Number(one)
  return ratio >= 1 / MAX_RATIO && ratio <= MAX_RATIO ? ratio : undefined
}

/** A ratio in words: 10 to 1, or 1 to 10 for a reverse split. */
export function ratioText(ratio: number): string {
  const short = (value: number) => String(Number(value.toFixed(4)))
  return ratio >= 1 ? `${short(ratio)} to 1` : `1 to ${short(1 / ratio)}`
}
