/** How long before and after the open the brief of the day is shown, milliseconds. */
const [BEFORE, AFTER] = [5.5 * 3_600_000, 1_800_000] as const

/** Whether a moment is near an open of the market. */
export const isNearOpen = (time: number, open: number): boolean => time >= open - BEFORE && time < open + AFTER
