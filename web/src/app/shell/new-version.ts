/**
 * Keeps the page for use without a network, and hears of newer versions of it. A new one is taken when the person says
 * so, never by itself and never in the middle of work.
 */
import { useSyncExternalStore } from 'react'

let update: (() => void) | null = null
let started = false
const watchers = new Set<() => void>()

/** Once the server has a newer page than this one: a function that takes it. */
export function useNewVersion(): (() => void) | null {
  return useSyncExternalStore(watch, () => update)
}

function watch(watcher: () => void) {
  watchers.add(watcher)
  if (!started) {
    started = true
    // After the page has come to rest: the worker fills its cache over the same line.
    if (import.meta.env.PROD && 'serviceWorker' in navigator) setTimeout(() => void register(), 3000)
  }
  return () => watchers.delete(watcher)
}

async function register() {
  const registration = await navigator.serviceWorker.register('/sw.js').catch(() => null)
  // Without a worker (storage off, no secure origin) the page works, only not without a network.
  if (!registration) return
  offer(registration)
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', () => offer(registration))
  })
  // A page that stays open for days hears of a new version within the hour.
  setInterval(() => void registration.update().catch(() => undefined), 3_600_000)
}

function offer(registration: ServiceWorkerRegistration) {
  const waiting = registration.waiting
  // The very first worker has nothing to replace.
  if (!waiting || !navigator.serviceWorker.controller) return
  update = () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
    waiting.postMessage({ type: 'SKIP_WAITING' })
  }
  for (const watcher of watchers) watcher()
}
