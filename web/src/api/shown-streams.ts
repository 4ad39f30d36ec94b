/**
 * Which streams and people are on screen, in all windows of the browser, what passes in the streams and is kept nowhere,
 * and whether somebody is in front of one. The tab that holds the connection tells the server; the others tell that tab.
 */
import { useEffect } from 'react'
import { newId } from '../lib/id.ts'
import { isInFront, onInFrontChange } from './in-front.ts'

type Listener = (signal: { readonly type: string; readonly data: unknown }) => void

/** So many the server takes. */
const mostShown = 8
const mostPeople = 80
/** Who scrolls brings people on screen one after the other. */
const gatherMs = 400
/** A tab that somebody is in front of says so again; of one that is silent for longer it is not known. */
const repeatMs = 60_000

/** How many components of this tab show a stream. */
const own = new Map<string, number>()
/** The same of people. */
const ownPeople = new Map<string, number>()
const elsewhere = new Map<string, TabStreams & { shows: readonly string[]; at: number }>()
const changed = new Set<() => void>()
const listeners = new Map<string, Set<Listener>>()

const tab = newId()

/** What tabs say to each other: what one shows, or, with null, that whoever holds the connection wants to know it. */
export interface TabStreams {
  readonly tab: string
  readonly shows: readonly string[] | null
  readonly people?: readonly string[]
  /** Somebody is in front of it. */
  readonly inFront?: boolean
}

/** What this tab shows, nothing while it is hidden. */
const ownShown = (): readonly string[] => (document.visibilityState === 'hidden' ? [] : [...own.keys()])

const ownPeopleShown = (): readonly string[] => (document.visibilityState === 'hidden' ? [] : [...ownPeople.keys()])

/** What all tabs show that are known here. */
export const allShown = (): readonly string[] =>
  [...new Set([...ownShown(), ...[...elsewhere.values()].flatMap(({ shows }) => shows)])].slice(0, mostShown)

/** The people whom they show. */
export const allPeople = (): readonly string[] =>
  [...new Set([...ownPeopleShown(), ...[...elsewhere.values()].flatMap(({ people = [] }) => people)])].slice(
    0,
    mostPeople,
  )

/** How often another tab came to show people: it was told of none of them yet, so they are asked for once more. */
let joins = 0
export const peopleJoins = (): number => joins

/** Whether somebody is in front of any of them. */
export function isAnyInFront(): boolean {
  if (isInFront()) return true
  for (const { inFront, at } of elsewhere.values()) if (inFront && Date.now() - at < 2.5 * repeatMs) return true
  return false
}

/** Takes what another tab says. */
export function takeShown(said: TabStreams): void {
  if (said.shows === null) return share()
  const { shows, people = [], inFront = false } = said
  const before = elsewhere.get(said.tab)?.people ?? []
  if (people.some((id) => !before.includes(id))) joins += 1
  if (shows.length > 0 || people.length > 0 || inFront) elsewhere.set(said.tab, { ...said, shows, at: Date.now() })
  else elsewhere.delete(said.tab)
  notifyListeners()
}

let share = () => {}

/** Tells the other tabs what this one shows, whenever that changes. Gives a function that ends it. */
export function shareShown(say: (said: TabStreams) => void): () => void {
  let told = ''
  const current = () => ({ tab, shows: ownShown(), people: ownPeopleShown(), inFront: isInFront() })
  share = () => {
    told = JSON.stringify(current())
    say(current())
  }
  const leave = () => say({ tab, shows: [] })
  const stopHearing = onShownChange(() => told === JSON.stringify(current()) || share())
  const stopWatching = onInFrontChange(notifyListeners)
  const repeat = setInterval(() => (isInFront() ? share() : notifyListeners()), repeatMs)
  addEventListener('pagehide', leave)
  document.addEventListener('visibilitychange', notifyListeners)
  return () => {
    stopHearing()
    stopWatching()
    clearInterval(repeat)
    removeEventListener('pagehide', leave)
    document.removeEventListener('visibilitychange', notifyListeners)
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
    notifyListeners()
    return () => {
      const left = (own.get(stream) ?? 1) - 1
      if (left > 0) own.set(stream, left)
      else own.delete(stream)
      known.delete(listener)
      notifyListeners()
    }
  }, [stream, listener])
}

let gathering: ReturnType<typeof setTimeout> | undefined

/** Shows somebody until the function that is given back is called. */
export function showPerson(id: string): () => void {
  const change = (by: number) => {
    const count = (ownPeople.get(id) ?? 0) + by
    if (count > 0) ownPeople.set(id, count)
    else ownPeople.delete(id)
    gathering ??= setTimeout(() => {
      gathering = undefined
      notifyListeners()
    }, gatherMs)
  }
  change(1)
  return () => change(-1)
}

const notifyListeners = () => changed.forEach((listener) => listener())
