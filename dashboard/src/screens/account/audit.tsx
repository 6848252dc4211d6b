import { Caption } from '../../parts/panel.tsx'
import { newYork, shortDate } from '../../state/day/time.ts'
import { audit } from '../../state/screens/account-state.ts'

/** Changes and their authors, newest first. */
export function Audit() {
  return (
    <section class="panel audit" aria-label="Changes">
      <Caption title="Changes" legend="newest first, ET" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys */}
      <div class="scroll rows" tabIndex={0}>
        <table class="list">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">What</th>
              <th scope="col">User</th>
              <th scope="col" class="wide">
                By
              </th>
            </tr>
          </thead>
          <tbody>
            {audit.value.map(({ at, actor, action, target, detail }, i) => {
              const when = newYork(Date.parse(at))
              const more = Object.entries(detail)
                .filter(([name]) => name !== 'id')
                .map(([name, value]) => `${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${value}`)
                .join(', ')
              return (
                <tr key={`${at}${i}`}>
                  <td class="when">
                    {shortDate(when.slice(0, 10))} <span>{when.slice(11, 16)}</span>
                  </td>
                  <th scope="row" title={more}>
                    {action.replace('.', ' ')}
                    <small>{more}</small>
                  </th>
                  <td class="name">{target}</td>
                  <td class="name wide">{actor}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </section>
  )
}
