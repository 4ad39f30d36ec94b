// Sharing into the installed app, in the service worker (vite.config.ts brings it in): what other apps hand over comes as a
// form to `/share`. Files are kept in a cache until somebody who is signed in adds them to a new chat or discards them
// (`features/chat/share-target`); words and addresses go on in the address.
;(() => {
  const cacheName = 'shared-files'
  // Those of the composer: `largestUpload`, and the attachments of a message. All that waits counts, not each share by itself.
  const mostFiles = 20
  const largestFile = 10 * 1024 * 1024

  self.addEventListener('fetch', (event) => {
    const { method, url } = event.request
    const { origin, pathname } = new URL(url)
    if (method === 'POST' && origin === self.location.origin && pathname === '/share')
      event.respondWith(receive(event.request))
  })

  async function receive(request) {
    const target = new URL('/share', self.location.origin)
    if (isForeign(request)) {
      await keepNote('foreign')
      return Response.redirect(target.href, 303)
    }
    const form = await request.formData().catch(() => null)
    if (form) {
      for (const name of ['title', 'text', 'url']) {
        const said = form.get(name)
        // Longer addresses are refused on the way by some; the page cuts what it puts into the box, too.
        if (typeof said === 'string' && said) target.searchParams.set(name, said.slice(0, 6000))
      }
      await keep(form.getAll('files').filter((file) => typeof file !== 'string' && file.name !== ''))
    } else await keepNote('unreadable')
    return Response.redirect(target.href, 303)
  }

  /**
   * Whether a page of another site sent it, where that can be told: a site can hide itself, which is why the page asks before
   * it takes files. What the system shares names nobody, or the app it comes from as `android-app:`.
   */
  function isForeign({ referrer, headers }) {
    const site = headers.get('sec-fetch-site')
    if (site === 'cross-site' || site === 'same-site') return true
    return [referrer, headers.get('origin')].some((address) => {
      const named = address ? URL.parse(address) : null
      return named !== null && /^https?:$/.test(named.protocol) && named.origin !== self.location.origin
    })
  }

  async function keep(files) {
    try {
      const cache = await caches.open(cacheName)
      const waiting = (await cache.keys()).filter(({ url }) => /\/\d+\/\d+$/.test(url)).length
      const small = files.filter(({ size }) => size <= largestFile)
      const kept = small.slice(0, Math.max(0, mostFiles - waiting))
      if (small.length < files.length) await keepNote('too-large')
      if (kept.length < small.length) await keepNote('too-many')
      const folder = `/${cacheName}/${Date.now()}`
      for (const [at, file] of kept.entries()) {
        const headers = { 'content-type': file.type || 'application/octet-stream', 'x-name': encodeURIComponent(file.name) }
        await cache.put(`${folder}/${at}`, new Response(file, { headers }))
      }
    } catch {
      await keepNote('no-room')
    }
  }

  /** The page says it in the reader's language; once, however often it came. */
  async function keepNote(reason) {
    const cache = await caches.open(cacheName)
    await cache.put(`/${cacheName}/notes/${reason}`, new Response()).catch(() => undefined)
  }
})()
