/** Default of the setting `quality-floor`: below this score nothing is concluded from a chain. */
export const QUALITY_FLOOR = 40
