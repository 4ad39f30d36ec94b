/** Whether this browser can take push messages, and how it is turned on and off (W3C Push API). */
import { pushRoutes } from '@atrium/contract/push'
import { call } from '../../../api/client.ts'

/**
 * `insecure`: the page came over http, where no browser allows it. `installable`: this system allows it only for apps on
 * the home screen. `unsupported`: it has no push. `denied`: its owner said no, which only the browser's settings change.
 */
export type PushState = 'insecure' | 'installable' | 'unsupported' | 'denied' | 'ready'

export function pushState(): PushState {
  if (!isSecureContext) return 'insecure'
  const isAble = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  if (!isAble) return isOnHomeScreen() === false ? 'installable' : 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : 'ready'
}

/** Where a system has home screens for pages: whether this page was opened from there. */
const isOnHomeScreen = (): boolean | undefined => (navigator as Navigator & { standalone?: boolean }).standalone

/** What this browser is known by; null while it is off. */
export async function subscriptionHere(): Promise<PushSubscription | null> {
  if (pushState() !== 'ready') return null
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Asks the person, then the browser's push service, then the server. false: the person said no. */
export async function turnOn(): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  if (!(await navigator.serviceWorker.getRegistration())) await navigator.serviceWorker.register('/sw.js')
  const { pushManager } = await navigator.serviceWorker.ready
  const { publicKey } = await call(pushRoutes.publicKey)
  const before = await pushManager.getSubscription()
  // With the keys of another time nothing would come.
  if (before && !isOf(before, publicKey)) await before.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) })
  const { endpoint = '', keys = {} } = subscription.toJSON()
  try {
    const { p256dh = '', auth = '' } = keys
    await call(pushRoutes.subscribe, { body: { endpoint, keys: { p256dh, auth } } })
  } catch (error) {
    await subscription.unsubscribe()
    throw error
  }
  return true
}

export async function turnOff(): Promise<void> {
  const subscription = await subscriptionHere()
  if (!subscription) return
  await call(pushRoutes.unsubscribe, { body: { endpoint: subscription.endpoint } })
  await subscription.unsubscribe()
}

const isOf = ({ options: { applicationServerKey: key } }: PushSubscription, publicKey: string): boolean => {
  const wanted = bytesOf(publicKey)
  const known = new Uint8Array(key ?? new ArrayBuffer())
  return known.length === wanted.length && known.every((byte, at) => byte === wanted[at])
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
