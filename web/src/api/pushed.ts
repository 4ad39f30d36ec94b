/** What the service worker asks of an open page: to go where a notification of the browser leads. */

/** Calls `open` with the path. Gives the function that ends it. */
export function onPushOpened(open: (path: string) => void): () => void {
  const worker = 'serviceWorker' in navigator ? navigator.serviceWorker : null
  const hear = ({ data, ports }: MessageEvent<{ type?: unknown; path?: unknown }>) => {
    const path = data?.path
    // Within this app, whatever it says.
    if (data?.type !== 'open-pushed' || typeof path !== 'string' || !/^\/(?!\/)/.test(path)) return
    ports[0]?.postMessage('opened')
    open(path)
  }
  worker?.addEventListener('message', hear)
  worker?.startMessages()
  return () => worker?.removeEventListener('message', hear)
}
