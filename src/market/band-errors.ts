/** Net exposures that have bands. */
export const bandMeasures = ['gex', 'dex', 'vex', 'chex'] as const
/** All contracts of a chain, and those that expire within 7 days, within 35 days, and later. */
export const bandTenors = ['all', 'week', 'month', 'later'] as const
export type BandMeasure = (typeof bandMeasures)[number]
export type BandTenor = (typeof bandTenors)[number]

export type BandErrorName = `band${Capitalize<BandMeasure>}${Capitalize<BandTenor>}`

/**
 * Errors of the bands of an evening, known by the open interest of the next session and part of the daily record of
 * that session: (exposure at settled open interest - mean of the band) / deviation of the band, for the band without
 * calibration. Undefined if the band has no width, or if one of the two chains is missing.
 */
export type BandErrors = { readonly [Name in BandErrorName]?: number | undefined }

const capitalized = <Word extends string>(word: Word) => (word[0].toUpperCase() + word.slice(1)) as Capitalize<Word>

export const bandErrorName = (measure: BandMeasure, tenor: BandTenor): BandErrorName =>
  `band${capitalized(measure)}${capitalized(tenor)}`

/** The tenor of a contract by its days to expiry. */
export const bandTenorOf = (days: number): BandTenor => (days <= 7 ? 'week' : days <= 35 ? 'month' : 'later')
