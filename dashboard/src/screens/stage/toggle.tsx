interface ToggleProps {
  readonly name: string
  readonly sign: string
  readonly hint: string
  readonly isOn: boolean
  readonly act: () => void
}

/** A switch of a picture, in the caption of its panel. */
export function Toggle({ name, sign, hint, isOn, act }: ToggleProps) {
  return (
    <button type="button" class="toggle" aria-label={name} aria-pressed={isOn} title={hint} onClick={act}>
      {sign}
    </button>
  )
}
