// Push in the service worker (vite.config.ts brings it in): shows what the server sent, and opens what it leads to. The
// server writes every word, in the reader's language; here is only what browsers want done.
;(() => {
  const shown = '/icons/192.png'

  self.addEventListener('push', (event) => event.waitUntil(show(read(event.data))))
  self.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(open(pathOf(event.notification.data)))
  })
  // The browser got itself another address: the server hears of it, as only its session can.
  self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)))

  /** What cannot be read still is shown: browsers take the right away from who shows nothing. */
  function read(data) {
    try {
      const message = data ? data.json() : null
      return message && typeof message === 'object' ? message : {}
    } catch {
      return {}
    }
  }

  function show({ title, body, href, tag, at, lang, dir }) {
    const text = (value) => (typeof value === 'string' ? value : '')
    return self.registration.showNotification(text(title) || 'Atrium', {
      body: text(body),
      tag: text(tag),
      lang: text(lang),
      dir: dir === 'rtl' ? 'rtl' : 'ltr',
      timestamp: typeof at === 'number' ? at : Date.now(),
      icon: shown,
      badge: shown,
      data: text(href),
    })
  }

  /** Within this app, whatever it says. */
  function pathOf(href) {
    const url = new URL(typeof href === 'string' && href ? href : '/', self.location.origin)
    return url.origin === self.location.origin ? url.pathname + url.search + url.hash : '/'
  }

  /** In the page that is open, which goes there by itself; without one, in a new window. */
  async function open(path) {
    const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
    const pages = windows.filter(({ url }) => !/^\/(api|v1|health|metrics)(\/|$)/.test(new URL(url).pathname))
    const page = pages.find(({ focused }) => focused) || pages.find((one) => one.visibilityState === 'visible') || pages[0]
    if (!page) return self.clients.openWindow(path)
    // Some browsers do not let a page be focused, and it still may go there.
    await page.focus().catch(() => undefined)
    if (!(await hears(page, path))) await page.navigate(path).catch(() => self.clients.openWindow(path))
  }

  /** Whether the page says that it goes there itself; one that is still loading cannot. */
  function hears(page, path) {
    return new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      const timer = setTimeout(() => resolve(false), 1000)
      port1.onmessage = () => {
        clearTimeout(timer)
        resolve(true)
      }
      page.postMessage({ type: 'open-pushed', path }, [port2])
    })
  }

  async function renew({ oldSubscription, newSubscription }) {
    const key = oldSubscription && oldSubscription.options.applicationServerKey
    const next =
      newSubscription ||
      (key && (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })))
    if (!next) return
    const { endpoint, keys } = next.toJSON()
    await ask('POST', { endpoint, keys })
    if (oldSubscription && oldSubscription.endpoint !== endpoint) await ask('DELETE', { endpoint: oldSubscription.endpoint })
  }

  function ask(method, body) {
    const headers = { 'content-type': 'application/json' }
    const request = { method, headers, credentials: 'same-origin', body: JSON.stringify(body) }
    return fetch('/api/push/subscriptions', request)
  }
})()
