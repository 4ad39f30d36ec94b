/** Push: this browser is told of things while no page is open. */
import { onAccountEvent } from '../../api/account-events.ts'
import type { Feature } from '../../lib/feature.ts'

// Only where something can be shown at all.
onAccountEvent('notifications-changed', () => {
  if (!('serviceWorker' in navigator) || globalThis.Notification?.permission !== 'granted') return
  void import('./close-read.ts').then(({ closeRead }) => closeRead()).catch(() => undefined)
})

export const pushFeature: Feature = {
  name: 'push',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}
