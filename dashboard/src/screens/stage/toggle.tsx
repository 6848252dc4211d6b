interface ToggleProps {
  readonly name: string
  readonly sign: string
  readonly hint: string
  readonly isOn: boolean
  readonly act: () => void
}

/** A button in the caption of a panel that switches its picture. */
export function Toggle({ name, sign, hint, isOn, act }: ToggleProps) {
  return (
    <button type="button" class="toggle" aria-label={name} aria-pressed={isOn} title={hint} onClick={act}>
      {sign}
    </button>
  )
}
