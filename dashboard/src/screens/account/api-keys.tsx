import { Empty } from '../../parts/empty.tsx'
import { fixed, NONE } from '../../parts/format.ts'
import { Caption } from '../../parts/panel.tsx'
import { SureButton } from '../../parts/sure-button.tsx'
import { shortDate } from '../../state/day/time.ts'
import {
  bundles,
  chosen,
  createKey,
  endBundle,
  grantBundle,
  type Key,
  keys,
  revokeKey,
  rotateKey,
  users
} from '../../state/screens/account-state.ts'
import { isOver } from './users.tsx'

/** Subscriptions of one block of streaming. */
const BLOCK = 500

/** Keys of the chosen user, and their streaming. */
export function Keys() {
  const user = users.value?.find(({ id }) => id === chosen.value)
  return (
    <section class="panel keys" aria-label="Keys" aria-busy={keys.value === undefined}>
      <Caption title="Keys" legend={user?.email} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys */}
      <div class="scroll rows" tabIndex={0}>
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">Name</th>
              <th scope="col" class="n wide">
                Made
              </th>
              <th scope="col" class="n">
                Ends
              </th>
              <td />
            </tr>
          </thead>
          <tbody>
            {(keys.value ?? []).map((key) => (
              <Row key={key.id} of={key} />
            ))}
          </tbody>
        </table>
        {keys.value?.length === 0 && (
          <Empty way={['Users and keys', '/docs/operations']}>No key yet: this user cannot make requests.</Empty>
        )}
      </div>
      {user !== undefined && <NewKey userId={user.id} />}
      {user !== undefined && <Streaming userId={user.id} email={user.email} />}
    </section>
  )
}

function Row({
  of: { id, hint, name, role, created_at: made, ends_at: ends, revoked_at: revoked }
}: {
  readonly of: Key
}) {
  const isDead = revoked !== null || isOver(ends)
  return (
    <tr class={isDead ? 'off' : ''}>
      <th scope="row">
        <code>…{hint}</code>
        {role !== 'user' && <small> {role}</small>}
      </th>
      <td class="name">{name === '' ? NONE : name}</td>
      <td class="n wide">{shortDate(made.slice(0, 10))}</td>
      <td class="n">{revoked !== null ? 'revoked' : ends === null ? 'never' : shortDate(lastDay(ends))}</td>
      <td class="n">
        {!isDead && (
          <span class="pair">
            {role === 'user' && (
              <button
                type="button"
                class="small"
                aria-label={`Rotate key ${hint}`}
                title="Replaces this key; the old one works for another day"
                onClick={() => void rotateKey(id)}
              >
                Rotate
              </button>
            )}
            <SureButton name="Revoke" of={`key ${hint}`} act={() => void revokeKey(id)} />
          </span>
        )}
      </td>
    </tr>
  )
}

/** The last day before an end at midnight. */
const lastDay = (ends: string) => new Date(Date.parse(ends) - 1).toISOString().slice(0, 10)

function NewKey({ userId }: { readonly userId: string }) {
  const make = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const given = new FormData(form)
    if (await createKey(userId, String(given.get('name')).trim(), String(given.get('until')))) form.reset()
  }
  return (
    <form class="make" onSubmit={(event) => void make(event)}>
      <input
        class="field grow"
        name="name"
        maxLength={100}
        aria-label="What the new key is for"
        placeholder="what it is for"
        autocomplete="off"
      />
      <input
        class="field"
        type="date"
        name="until"
        aria-label="Last day of the new key; leave empty for no end"
        title="Last day; leave empty for no end"
      />
      <button type="submit" class="small">
        Create key
      </button>
    </form>
  )
}

function Streaming({ userId, email }: { readonly userId: string; readonly email: string }) {
  const bundle = bundles.value.find(({ user_id, ends_at }) => user_id === userId && !isOver(ends_at))
  const grant = (event: SubmitEvent) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget as HTMLFormElement)
    void grantBundle(userId, Number(given.get('blocks')), String(given.get('until')))
  }
  if (bundle === undefined)
    return (
      <form class="make" onSubmit={grant}>
        <span class="grow">No streaming</span>
        <input
          class="field count"
          type="number"
          name="blocks"
          min="1"
          max="1000"
          value="1"
          aria-label={`Blocks of ${BLOCK} subscriptions`}
          title={`Blocks of ${BLOCK} subscriptions`}
        />
        <input
          class="field"
          type="date"
          name="until"
          aria-label="Last day of streaming; leave empty for no end"
          title="Last day; leave empty for no end"
        />
        <button type="submit" class="small">
          Allow streaming
        </button>
      </form>
    )
  const until = bundle.ends_at === null ? 'no end' : `until ${shortDate(lastDay(bundle.ends_at))}`
  return (
    <p class="make">
      <span class="grow">
        Streams {fixed(bundle.blocks * BLOCK, 0)} subscriptions, {until}
      </span>
      <SureButton name="End" of={`streaming of ${email}`} act={() => void endBundle(userId)} />
    </p>
  )
}
