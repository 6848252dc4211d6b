/** The look and the links of the company that runs the service. A field that the operator does not give is absent. */
export interface Brand {
  readonly name: string
  /** An SVG picture, checked by `logoProblems`. */
  readonly logo?: string
  readonly accent?: Accent
  /** Address for questions, https or mailto. */
  readonly support?: string
  readonly terms?: string
  readonly upgrade?: Upgrade
}

/** Colour of buttons and of the open screen's name in each theme, as #rrggbb. */
export interface Accent {
  readonly dark: string
  readonly light: string
}

/** How a reader gets what the plan does not include. */
export interface Upgrade {
  /** An https address; {user} and {plan} in it stand for the ids of user and plan. */
  readonly address: string
  /** Words of the link. */
  readonly label: string
  /** A sentence before the link. */
  readonly text?: string
}

export const plainBrand: Brand = { name: 'gammawall' }
