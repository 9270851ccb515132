import type { Ending } from './attempt-words'
import { browserStorage, tryStore } from './browser-storage'

// Wanted per browser, not per account: it is about this screen and these ears.
const KEY = 'darkroom.notify'

export type NotifyState = 'impossible' | 'refused' | 'off' | 'on'

/** Never on by itself: somebody asked for it here, and the browser allows it. */
export function notifyState(): NotifyState {
  if (typeof Notification === 'undefined') return 'impossible'
  if (Notification.permission === 'denied') return 'refused'
  const isWanted = browserStorage()?.getItem(KEY) === 'on'
  return isWanted && Notification.permission === 'granted' ? 'on' : 'off'
}

export async function turnNotify(isOn: boolean): Promise<NotifyState> {
  const allowed = isOn ? (await Notification.requestPermission()) === 'granted' : true
  if (allowed) tryStore(browserStorage(), KEY, isOn ? 'on' : 'off')
  return notifyState()
}

/** Tells of what ended, to somebody who asked for it and looks elsewhere. One for each, whatever the tabs. */
export function notify(endings: readonly Ending[], open: (attemptId: string) => void): void {
  if (notifyState() !== 'on' || document.hasFocus()) return
  for (const { id, title, body } of endings) {
    const notification = new Notification(title, { body, tag: id, icon: '/icon.svg' })
    notification.onclick = () => {
      window.focus()
      open(id)
      notification.close()
    }
  }
}
