/**
 * The host page of the preview's frame: the one place where words of a model become a page that runs. It has no origin
 * that anything belongs to, reaches no network, opens no window and leaves its frame by no way; what it wants beside
 * drawing, it asks of the app around it, where a person answers. It holds nothing of any account.
 */
import type { BytesAnswer } from '../../platform/http/area.ts'

const policy = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval' blob:",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data: blob:',
  'media-src data: blob:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  // Never `allow-same-origin`, pop-ups, navigation of the page around it, or downloads.
  'sandbox allow-scripts allow-forms allow-pointer-lock',
].join('; ')

/** What browsers let pages ask for; none of it is for these. */
const refused = `accelerometer ambient-light-sensor attribution-reporting autoplay bluetooth browsing-topics camera
  clipboard-read clipboard-write compute-pressure display-capture encrypted-media fullscreen gamepad geolocation gyroscope
  hid identity-credentials-get idle-detection join-ad-interest-group keyboard-map local-fonts magnetometer microphone midi
  otp-credentials payment picture-in-picture private-state-token-issuance private-state-token-redemption
  publickey-credentials-create publickey-credentials-get run-ad-auction screen-wake-lock serial shared-storage
  speaker-selection storage-access sync-xhr usb web-share window-management xr-spatial-tracking`

const headers: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'x-frame-options': 'SAMEORIGIN',
  // Of all ways out, WebRTC is the one that the policy above does not close.
  'connection-allowlist': '()',
  // In a process of its own: an endless loop in it holds up nothing else.
  'origin-agent-cluster': '?1',
  'cache-control': 'no-store',
  'x-dns-prefetch-control': 'off',
  'permissions-policy': refused
    .split(/\s+/)
    .map((name) => `${name}=()`)
    .join(', '),
}

/**
 * Takes one page from the window around it, and becomes it. What it says and hears has the names of
 * `web/src/blocks/preview/messages.ts`.
 */
const page = `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<title>Preview</title>
</head>
<body>
<script>
(() => {
  const app = window.parent
  if (app === window) return
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport']) delete window[name]
  addEventListener('message', function take({ source, data }) {
    if (source !== app || data === null || typeof data !== 'object') return
    if (data.type !== 'atrium-preview:render' || typeof data.html !== 'string') return
    removeEventListener('message', take)
    document.open()
    document.write(data.html)
    document.close()
  })
  app.postMessage({ type: 'atrium-preview:ready' }, '*')
})()
</script>
</body>
</html>
`

export const sandboxPage: BytesAnswer = {
  body: Buffer.from(page),
  mediaType: 'text/html',
  fileName: 'preview.html',
  disposition: 'inline',
  ownPage: headers,
}
