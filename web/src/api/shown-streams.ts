/**
 * Which streams are on screen, in all windows of the browser, and what passes in them and is kept nowhere. The tab that
 * holds the connection tells the server; the others tell that tab.
 */
import { useEffect } from 'react'
import { newId } from '../lib/id.ts'

type Listener = (signal: { readonly type: string; readonly data: unknown }) => void

/** So many the server takes. */
const mostShown = 8

/** How many components of this tab show a stream. */
const own = new Map<string, number>()
const elsewhere = new Map<string, readonly string[]>()
const changed = new Set<() => void>()
const listeners = new Map<string, Set<Listener>>()

const tab = newId()

/** What tabs say to each other: what one shows, or, with null, that whoever holds the connection wants to know it. */
export interface TabStreams {
  readonly tab: string
  readonly shows: readonly string[] | null
}

/** What this tab shows, nothing while it is hidden. */
const ownShown = (): readonly string[] => (document.visibilityState === 'hidden' ? [] : [...own.keys()])

/** What all tabs show that are known here. */
export const allShown = (): readonly string[] =>
  [...new Set([...ownShown(), ...[...elsewhere.values()].flat()])].slice(0, mostShown)

/** Takes what another tab says. */
export function takeShown(said: TabStreams): void {
  if (said.shows === null) return share()
  if (said.shows.length > 0) elsewhere.set(said.tab, said.shows)
  else elsewhere.delete(said.tab)
  tellChange()
}

let share = () => {}

/** Tells the other tabs what this one shows, whenever that changes. Gives a function that ends it. */
export function shareShown(say: (said: TabStreams) => void): () => void {
  let told = ''
  share = () => {
    told = ownShown().join()
    say({ tab, shows: ownShown() })
  }
  const leave = () => say({ tab, shows: [] })
  const stopHearing = onShownChange(() => told === ownShown().join() || share())
  addEventListener('pagehide', leave)
  document.addEventListener('visibilitychange', tellChange)
  return () => {
    stopHearing()
    removeEventListener('pagehide', leave)
    document.removeEventListener('visibilitychange', tellChange)
  }
}

/** Asks the other tabs what they show. */
export const askShown = (say: (said: TabStreams) => void): void => say({ tab, shows: null })

/** Calls `listener` whenever what is shown may have changed. Gives a function that ends it. */
export function onShownChange(listener: () => void): () => void {
  changed.add(listener)
  return () => void changed.delete(listener)
}

/** Takes what passed in a stream. */
export function takeSignal(stream: string, signal: Parameters<Listener>[0]): void {
  for (const listener of listeners.get(stream) ?? []) listener(signal)
}

/** Shows a stream for as long as the component is there, and hears what passes in it meanwhile. */
export function useShownStream(stream: string, listener: Listener): void {
  useEffect(() => {
    own.set(stream, (own.get(stream) ?? 0) + 1)
    const known = listeners.get(stream) ?? new Set()
    listeners.set(stream, known.add(listener))
    tellChange()
    return () => {
      const left = (own.get(stream) ?? 1) - 1
      if (left > 0) own.set(stream, left)
      else own.delete(stream)
      known.delete(listener)
      tellChange()
    }
  }, [stream, listener])
}

const tellChange = () => changed.forEach((listener) => listener())
