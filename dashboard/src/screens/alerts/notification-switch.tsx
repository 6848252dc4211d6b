import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { canNotify } from '../../state/screens/alerts-state.ts'
import { beTold, beToldNoMore, lookUpTold, testTold, told } from '../../state/screens/told-browser.ts'

/** Switch for notifications of this browser, also while no page is open. */
export function NotificationSwitch() {
  useEffect(() => void lookUpTold(), [])
  switch (told.value) {
    case undefined:
      return null
    case 'on':
      return (
        <p class="legend end pair">
          <button type="button" class="small" onClick={() => void testTold()}>
            Send a test
          </button>
          <button type="button" class="small" aria-pressed="true" onClick={() => void beToldNoMore()}>
            This browser notifies you
          </button>
        </p>
      )
    case 'off':
      return (
        <button type="button" class="small end" aria-pressed="false" onClick={() => void beTold()}>
          Notify me in this browser
        </button>
      )
    case 'blocked':
      return <p class="legend end">Notifications are blocked in this browser</p>
    case 'insecure':
      return <p class="legend end">Notifications need HTTPS: this page came by plain HTTP</p>
    case 'unsupported':
      return <WhileOpen />
  }
}

/** Switch for notifications while a page is open, of browsers that can be told nothing else. */
function WhileOpen() {
  const permission = useSignal(canNotify() ? Notification.permission : 'unsupported')
  if (permission.value === 'granted') return <p class="legend end">The browser notifies you while a page is open</p>
  if (permission.value === 'denied') return <p class="legend end">Notifications are blocked in this browser</p>
  if (permission.value === 'unsupported') {
    return <p class="legend end">This browser shows no notifications; on an iPhone, add the page to the Home Screen</p>
  }
  const ask = async () => {
    permission.value = await Notification.requestPermission()
  }
  return (
    <button type="button" class="small end" onClick={() => void ask()}>
      Notify me while this page is open
    </button>
  )
}
