// Sharing into the installed app, in the service worker (vite.config.ts brings it in): what other apps hand over comes as a
// form to `/share`. Files are kept in a cache until the page has put them into the draft of a new chat
// (`features/chat/page/shared-files.ts`), also when it has to sign in before; words and addresses go on in the address.
;(() => {
  const cacheName = 'shared-files'

  self.addEventListener('fetch', (event) => {
    const { method, url } = event.request
    const { origin, pathname } = new URL(url)
    if (method === 'POST' && origin === self.location.origin && pathname === '/share')
      event.respondWith(receive(event.request))
  })

  async function receive(request) {
    const target = new URL('/share', self.location.origin)
    const form = await request.formData().catch(() => null)
    if (form) {
      for (const name of ['title', 'text', 'url']) {
        const said = form.get(name)
        // Longer addresses are refused on the way by some; the page cuts what it puts into the box, too.
        if (typeof said === 'string' && said) target.searchParams.set(name, said.slice(0, 6000))
      }
      const files = form.getAll('files').filter((file) => typeof file !== 'string' && file.name !== '')
      await keep(files)
    } else await keepNote('unreadable')
    return Response.redirect(target.href, 303)
  }

  async function keep(files) {
    try {
      const folder = `/${cacheName}/${Date.now()}`
      for (const [at, file] of files.entries()) {
        const headers = { 'content-type': file.type || 'application/octet-stream', 'x-name': encodeURIComponent(file.name) }
        const cache = await caches.open(cacheName)
        await cache.put(`${folder}/${at}`, new Response(file, { headers }))
      }
    } catch {
      await keepNote('no-room')
    }
  }

  /** The page says it in the reader's language. */
  async function keepNote(reason) {
    const cache = await caches.open(cacheName)
    await cache.put(`/${cacheName}/${Date.now()}/note`, new Response(reason)).catch(() => undefined)
  }
})()
