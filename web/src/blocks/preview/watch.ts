/** Whether a preview still answers, and is not drowning the app in messages. */
import { prefix } from './messages.ts'

/** A preview that says nothing for so long is taken away. */
const silentMs = 3000
/** A page may take longer while it loads, the more so the more scripts it brings: a slow machine reads them first. */
const beginMs = 10_000
const beginMsOfLetter = 1 / 200
const pingMs = 500
/** So soon a page answers that stands. */
const doubtMs = 1000
/** In one second; what is more would hold the app. */
const mostMessages = 500

export interface PreviewWatch {
  /** Of each message; false where there are too many. `pong`: it is the answer to a ping. */
  heard(pong: { readonly loaded: boolean } | null): boolean
  /** Something else was loaded in its place, perhaps: it has less time to answer. */
  doubt(): void
  stop(): void
}

/** Begins when a page of so many letters has been given to the frame. `onSilent` is called once. */
export function watchPreview(frame: Window, letters: number, onSilent: () => void): PreviewWatch {
  let [isLoaded, lastHeard, lastAsked] = [false, performance.now(), performance.now()]
  let [second, count] = [0, 0]
  const stop = () => clearInterval(timer)
  const ask = () => {
    const now = performance.now()
    // Browsers hold back both sides of a page that nobody sees, and the clock of a machine that slept ran on.
    if (document.hidden || now - lastAsked > 4 * pingMs) lastHeard = now
    lastAsked = now
    if (now - lastHeard > (isLoaded ? silentMs : beginMs + letters * beginMsOfLetter)) {
      stop()
      onSilent()
    } else frame.postMessage({ type: `${prefix}ping` }, '*')
  }
  const timer = setInterval(ask, pingMs)
  ask()
  return {
    heard(pong) {
      const now = performance.now()
      if (pong) [isLoaded, lastHeard] = [isLoaded || pong.loaded, now]
      const current = Math.floor(now / 1000)
      if (current !== second) [second, count] = [current, 0]
      count += 1
      return count <= mostMessages
    },
    doubt() {
      isLoaded = true
      lastHeard = Math.min(lastHeard, performance.now() - silentMs + doubtMs)
    },
    stop,
  }
}
