/**
 * The script that stands first in every page of a preview, as text. It tells the app what the page writes to its console
 * and what goes wrong, answers that the page is alive, and asks the app for what the frame itself may not do. The page runs
 * beside it and could say anything in its place: so nothing that it says is believed (`messages.ts`), and nothing that it
 * asks for is done before a person has said so.
 */
export const bridge = `(() => {
  const app = window.parent
  if (app === window) return
  const send = (type, more) => app.postMessage(Object.assign({ type: 'atrium-preview:' + type }, more), '*')
  const textOf = (value) => {
    if (typeof value === 'string') return value
    if (value instanceof Error) return value.stack && value.stack.includes(value.message) ? value.stack : String(value)
    try {
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
    } catch {
      return Object.prototype.toString.call(value)
    }
  }
  const cut = (text) => text.slice(0, 4000)
  for (const level of ['log', 'info', 'warn', 'error', 'debug']) {
    const own = console[level].bind(console)
    console[level] = (...values) => {
      own(...values)
      send('console', { level, text: cut(values.map(textOf).join(' ')) })
    }
  }
  const failed = (text) => send('console', { level: 'error', text: cut(text), uncaught: true })
  addEventListener('error', (event) => {
    if (event.message) failed(event.message + (event.lineno ? ' (line ' + event.lineno + ')' : ''))
  })
  addEventListener('unhandledrejection', ({ reason }) => failed(textOf(reason)))
  document.addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) =>
    send('blocked', { address: String(blockedURI).slice(0, 500), what: String(effectiveDirective).slice(0, 40) }),
  )
  addEventListener('message', ({ source, data }) => {
    if (source === app && data && data.type === 'atrium-preview:ping')
      send('pong', { loaded: document.readyState === 'complete' })
  })

  const blobs = new Map()
  const makeAddress = URL.createObjectURL.bind(URL)
  URL.createObjectURL = (blob) => {
    const address = makeAddress(blob)
    if (blob instanceof Blob) blobs.set(address, blob)
    return address
  }
  const open = (address) => {
    const url = new URL(String(address), 'about:blank')
    send('link', { address: url.href.slice(0, 2000) })
  }
  const save = (link) => {
    const blob = blobs.get(link.href)
    if (blob) send('save', { name: link.download.slice(0, 200) || 'file', blob })
    else if (/^data:/.test(link.href)) {
      const [head, body] = link.href.slice(5).split(/,(.*)/s)
      const raw = /;base64$/.test(head) ? atob(decodeURIComponent(body)) : unescape(body)
      const bytes = Uint8Array.from(raw, (letter) => letter.charCodeAt(0))
      send('save', { name: link.download.slice(0, 200) || 'file', blob: new Blob([bytes]) })
    } else open(link.href)
  }
  const follow = (link) => {
    const target = link.getAttribute('href') || ''
    if (target.startsWith('#')) document.getElementById(decodeURIComponent(target.slice(1)))?.scrollIntoView()
    else if (link.hasAttribute('download')) save(link)
    else open(link.href)
  }
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null
    if (!link || event.defaultPrevented) return
    event.preventDefault()
    follow(link)
  })
  const click = HTMLElement.prototype.click
  HTMLAnchorElement.prototype.click = function () {
    if (this.isConnected) click.call(this)
    else if (this.hasAttribute('href')) follow(this)
  }
  window.open = (address) => (address && open(address), null)
  Object.defineProperty(navigator, 'clipboard', {
    value: { writeText: async (text) => send('copy', { text: String(text).slice(0, 500000) }) },
  })
  Element.prototype.requestFullscreen = async () => send('full-screen', {})

  // The frame has no storage of its own; what a page keeps lasts as long as it is shown.
  const storage = () => {
    const kept = new Map()
    return {
      getItem: (key) => kept.get(String(key)) ?? null,
      setItem: (key, value) => void kept.set(String(key), String(value)),
      removeItem: (key) => void kept.delete(String(key)),
      clear: () => kept.clear(),
      key: (at) => [...kept.keys()][at] ?? null,
      get length() {
        return kept.size
      },
    }
  }
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { value: storage() })
})()`
