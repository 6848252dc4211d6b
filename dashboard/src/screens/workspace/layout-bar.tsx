import { useSignal } from '@preact/signals'
import { Drop } from '../../parts/drop.tsx'
import { SureButton } from '../../parts/sure-button.tsx'
import { go, hrefOf } from '../../state/page/address.ts'
import { sharedText } from '../../state/workspace/layout-text.ts'
import { PRESETS } from '../../state/workspace/preset-layouts.ts'
import {
  changeLayout,
  layouts,
  newLayout,
  openId,
  openLayout,
  ownLayouts,
  shared
} from '../../state/workspace/workspace-state.ts'

/** All layouts, and what can be done with the open one. */
export function LayoutBar() {
  const id = openId.value
  return (
    <nav class="layouts" aria-label="Layouts">
      <b>Open</b>
      {[...layouts.value].map(([each, { name }]) => (
        <a
          key={each}
          class="chip"
          href={hrefOf({ layout: each, shared: undefined })}
          aria-current={shared.value === undefined && each === id ? 'page' : undefined}
        >
          {name}
          {ownLayouts.held.value.has(each) && <small> · {each in PRESETS ? 'changed' : 'yours'}</small>}
        </a>
      ))}
      <Drop name="+ New layout">
        <NameField label="Name" initial="" word="Make" take={(name) => keep(newLayout(name))} />
      </Drop>
      <span class="grow" />
      {shared.value !== undefined && (
        <span class="shared-note">
          “{shared.value.name}” was shared with you.{' '}
          <button type="button" class="chip" onClick={() => keep(shared.value!)}>
            Keep as mine
          </button>
        </span>
      )}
      {openLayout.value !== undefined && <OpenLayout id={id} />}
    </nav>
  )
}

/** Makes a layout the reader's own under a free id, and opens it. */
function keep(layout: ReturnType<typeof newLayout>): void {
  const id = ownLayouts.freeId(layout.name, layouts.peek())
  ownLayouts.put(id, layout)
  go({ layout: id, shared: undefined })
}

function OpenLayout({ id }: { readonly id: string }) {
  const isCopied = useSignal(false)
  const { name } = openLayout.value!
  const isOwn = ownLayouts.held.value.has(id) && shared.value === undefined
  return (
    <>
      <Drop
        name="Share"
        onToggle={() => {
          isCopied.value = false
        }}
      >
        <SharedAddress />
      </Drop>
      <Drop name="Layout">
        <NameField
          key={name}
          label="Name"
          initial={name}
          word="Rename"
          take={(next) => changeLayout((layout) => ({ ...layout, name: next }))}
        />
        <NameField
          label="Copy as"
          initial={`${name} 2`}
          word="Copy"
          take={(next) => keep({ ...openLayout.value!, name: next })}
        />
        {isOwn && (
          <SureButton
            name={id in PRESETS ? 'Reset' : 'Remove'}
            of={name}
            act={() => {
              void ownLayouts.remove(id)
              if (!(id in PRESETS)) go({ layout: undefined })
            }}
          />
        )}
      </Drop>
    </>
  )
}

/** The address that opens a copy of the layout for somebody else, who needs a key of their own. */
function SharedAddress() {
  const address = new URL(
    hrefOf({ shared: sharedText(openLayout.value!), layout: undefined, at: undefined }),
    location.href
  )
  return (
    <label>
      Address
      <input
        aria-label="Address"
        readOnly
        size={28}
        value={address.href}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <button type="button" class="chip" onClick={() => void navigator.clipboard?.writeText(address.href)}>
        Copy
      </button>
    </label>
  )
}

interface NameFieldProps {
  readonly label: string
  readonly initial: string
  readonly word: string
  readonly take: (name: string) => void
}

export function NameField({ label, initial, word, take }: NameFieldProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        const name = String(new FormData(form).get('name')).trim()
        if (name === '') return
        form.closest('details')!.open = false
        take(name)
      }}
    >
      <label>
        {label}
        <input
          name="name"
          aria-label={label}
          defaultValue={initial}
          maxLength={40}
          required
          autocomplete="off"
          size={16}
        />
        <button type="submit" class="chip">
          {word}
        </button>
      </label>
    </form>
  )
}
