interface Split {
  readonly parts: Readonly<Record<string, number | undefined>> | null
}

/** Running sum of one part of the bars, USD. The service gives whole cents, which are added as such. */
export function runningSums(bars: readonly Split[], part: string): readonly number[] {
  let cents = 0
  return bars.map(({ parts }) => {
    cents += Math.round((parts?.[part] ?? 0) * 100)
    return cents / 100
  })
}
