/** Growing log of figures of many contracts, in the order of reading. It is later replayed minute by minute. */
export interface MinuteLog {
  size: number
  /** Minute at which each entry became known, in minutes after the opening. */
  minutes: Uint16Array
  slots: Int32Array
  /** Figures of all entries, one entry after the other. Each entry has `width` figures. */
  figures: Float64Array
  readonly width: number
}

export function minuteLog(width: number): MinuteLog {
  const room = 4096
  return {
    size: 0,
    minutes: new Uint16Array(room),
    slots: new Int32Array(room),
    figures: new Float64Array(room * width),
    width
  }
}

/**
 * Adds an entry and returns the position of its first figure. The entry's figures are `figures[position]` to
 * `figures[position + width - 1]`.
 */
export function logEntry(log: MinuteLog, minute: number, slot: number): number {
  if (log.size === log.minutes.length) grow(log)
  log.minutes[log.size] = minute
  log.slots[log.size] = slot
  return log.size++ * log.width
}

function grow(log: MinuteLog): void {
  const { minutes, slots, figures } = log
  log.minutes = new Uint16Array(minutes.length * 2)
  log.slots = new Int32Array(slots.length * 2)
  log.figures = new Float64Array(figures.length * 2)
  log.minutes.set(minutes)
  log.slots.set(slots)
  log.figures.set(figures)
}

/**
 * Sorts the entries by minute; entries of the same minute keep their order. In the result, entries of minute m begin at
 * `order[first[m]]`.
 */
export function byMinute(
  { size, minutes }: MinuteLog,
  count: number
): { readonly order: Int32Array; readonly first: Int32Array } {
  const first = new Int32Array(count + 1)
  for (let i = 0; i < size; i++) first[minutes[i] + 1]++
  for (let m = 1; m <= count; m++) first[m] += first[m - 1]
  const next = first.slice()
  const order = new Int32Array(size)
  for (let i = 0; i < size; i++) order[next[minutes[i]]++] = i
  return { order, first }
}
