import { useSignal } from '@preact/signals'

interface Props {
  /** The verb: "Revoke". */
  readonly name: string
  /** The object, for screen readers, which do not see the row. */
  readonly of: string
  readonly act: () => void
}

/** A button for an act that cannot be undone: the first press asks, the second acts. */
export function SureButton({ name, of, act }: Props) {
  const isAsking = useSignal(false)
  const press = () => {
    if (isAsking.value) act()
    isAsking.value = !isAsking.value
  }
  return (
    <button
      type="button"
      class={isAsking.value ? 'small sure' : 'small'}
      aria-label={`${isAsking.value ? `Really ${name.toLowerCase()}` : name} ${of}`}
      onClick={press}
      onBlur={() => {
        isAsking.value = false
      }}
    >
      {isAsking.value ? `Really ${name.toLowerCase()}?` : name}
    </button>
  )
}
