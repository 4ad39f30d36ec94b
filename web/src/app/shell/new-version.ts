import { useSyncExternalStore } from 'react'

let update: (() => void) | null = null
let started = false
const watchers = new Set<() => void>()

/** Once the server has a newer page than this one: a function that takes it. Never by itself, never in the middle of work. */
export function useNewVersion(): (() => void) | null {
  return useSyncExternalStore(watch, () => update)
}

function watch(watcher: () => void) {
  watchers.add(watcher)
  if (!started) void start()
  return () => watchers.delete(watcher)
}

async function start() {
  started = true
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  // After the page has come to rest: the worker fills its cache over the same line.
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const { registerSW } = await import('virtual:pwa-register')
  const take = registerSW({
    onNeedRefresh() {
      update = () => void take(true)
      for (const watcher of watchers) watcher()
    },
    onRegisteredSW(_url, registration) {
      // A page that stays open for days hears of a new version within the hour.
      if (registration) setInterval(() => void registration.update().catch(() => undefined), 3_600_000)
    },
  })
}
