import { useSignal } from '@preact/signals'

interface Props {
  /** What it does: "Revoke". */
  readonly name: string
  /** To what, for who cannot see its row. */
  readonly of: string
  readonly act: () => void
}

/** A button whose act cannot be undone: the first press asks, the second one does it. */
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
