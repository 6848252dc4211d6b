import { Dialog } from './dialog.tsx'

/** Every key with what it does. They are ignored while something is typed. */
export const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['1 2 3 4', 'Overview, Expirations, 0DTE, Volatility'],
  ['5 6 7 8', 'Hedging, Premium, Lab, Screener'],
  ['9 o , .', 'Alerts, Flow, Account, Status'],
  ['/', 'symbol'],
  ['[ ]', 'previous and next symbol of the list'],
  ['space', 'play or pause'],
  ['← →', 'a minute back or on, with shift 15; on the dates: expiration'],
  ['home end', 'open and close of the session'],
  ['l', 'live'],
  ['+ − 0', 'price window narrower, wider, by itself'],
  ['k', 'root or linear scale'],
  ['m', 'map behind the price'],
  ['d', 'what expires today only'],
  ['c', 'compare with the session before'],
  ['h', 'surface as a solid or as a heat map; on 0DTE a map of gamma or of flow'],
  ['↑ ↓ s', 'rows of the screener; star the one in focus'],
  ['e', 'export the panel in focus'],
  ['f', 'full screen'],
  ['t', 'dark or light'],
  ['?', 'this list']
]

const dialog = () => document.querySelector<HTMLDialogElement>('#keys')

export function openKeys(): void {
  dialog()?.showModal()
}

export function KeyList() {
  return (
    <Dialog id="keys" title="Keys">
      <dl>
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="submit" class="primary">
        Close
      </button>
    </Dialog>
  )
}
