import { useSignal } from '@preact/signals'
import { Empty } from '../../parts/empty.tsx'
import { fixed, NONE } from '../../parts/format.ts'
import { Caption } from '../../parts/panel.tsx'
import { SureButton } from '../../parts/sure-button.tsx'
import { shortDate } from '../../state/day/time.ts'
import {
  bundles,
  choose,
  chosen,
  createUser,
  plans,
  removeUser,
  setPlan,
  type User,
  userCount,
  users
} from '../../state/screens/account-state.ts'

/** All accounts. The keys of the chosen one are shown beside the table. */
export function Users() {
  const sought = useSignal('')
  const shown = (users.value ?? []).filter(({ email }) => email.includes(sought.value))
  return (
    <section class="panel users" aria-label="Users" aria-busy={users.value === undefined}>
      <Caption title="Users" legend={users.value === undefined ? '' : `${userCount.value} in all`}>
        <input
          type="search"
          class="field"
          aria-label="Find a user by email"
          placeholder="Find"
          spellcheck={false}
          onInput={(event) => {
            sought.value = event.currentTarget.value.trim().toLowerCase()
          }}
        />
      </Caption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys */}
      <div class="scroll rows" tabIndex={0}>
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Email</th>
              <th scope="col">Plan</th>
              <th scope="col" class="n wide">
                Today
              </th>
              <th scope="col" class="n wide">
                Since
              </th>
              <th scope="col" class="n wide">
                Streaming
              </th>
              <td />
            </tr>
          </thead>
          <tbody>
            {shown.map((user) => (
              <Row key={user.id} user={user} />
            ))}
          </tbody>
        </table>
        {users.value !== undefined && shown.length === 0 && (
          <Empty way={['Users and keys', '/docs/operations']}>No user has such an email.</Empty>
        )}
      </div>
      <NewUser />
    </section>
  )
}

function Row({
  user: { id, email, plan, usage_today: used, daily_limit: limit, subscribed_on: since }
}: {
  readonly user: User
}) {
  const blocks = bundles.value.find(({ user_id, ends_at }) => user_id === id && !isOver(ends_at))?.blocks
  return (
    <tr aria-selected={chosen.value === id}>
      <th scope="row">
        <button type="button" onClick={() => void choose(id)} aria-pressed={chosen.value === id}>
          {email}
        </button>
      </th>
      <td>
        <PlanField label={`Plan of ${email}`} value={plan} choose={(each) => void setPlan(id, each)} />
      </td>
      <td class="n wide">
        {fixed(used, 0)}
        {limit !== null && <small> / {fixed(limit, 0)}</small>}
      </td>
      <td class="n wide">{shortDate(since)}</td>
      <td class="n wide">{blocks === undefined ? NONE : fixed(blocks * 500, 0)}</td>
      <td class="n">
        <SureButton name="Remove" of={email} act={() => void removeUser(id)} />
      </td>
    </tr>
  )
}

/** Whether a time has passed; null never has. */
export function isOver(endsAt: string | null): boolean {
  return endsAt !== null && Date.parse(endsAt) <= Date.now()
}

interface PlanFieldProps {
  readonly label: string
  readonly value?: string
  readonly choose?: (plan: string) => void
}

function PlanField({ label, value, choose: act }: PlanFieldProps) {
  return (
    <select
      class="field"
      name="plan"
      aria-label={label}
      value={value ?? plans.value[0]?.id}
      onChange={(event) => act?.(event.currentTarget.value)}
    >
      {plans.value.map(({ id, name }) => (
        <option key={id} value={id} selected={id === value}>
          {name}
        </option>
      ))}
    </select>
  )
}

function NewUser() {
  const make = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const given = new FormData(form)
    if (await createUser(String(given.get('email')).trim(), String(given.get('plan')))) form.reset()
  }
  return (
    <form class="make" onSubmit={(event) => void make(event)}>
      <input
        class="field grow"
        type="email"
        name="email"
        aria-label="Email of a new user"
        placeholder="new@example.com"
        required
      />
      <PlanField label="Plan of the new user" />
      <button type="submit" class="small">
        Add user
      </button>
    </form>
  )
}
