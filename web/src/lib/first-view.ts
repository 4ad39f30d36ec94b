/**
 * What a page was opened for comes first. Until it stands there, nothing is asked for that can wait: each request costs
 * a round trip, and a browser sends only a few at once.
 */
import { useEffect } from 'react'
import { create } from 'zustand'

/** What hangs keeps the rest waiting no longer than this. */
const longestMs = 8000

const usePassed = create<boolean>(() => false)
/** Requests and parts that are awaited, and the first page itself. */
let held = 1
setTimeout(pass, longestMs)

/** Whether the first view stands there; from then on for as long as the page is open. */
export const useAfterFirstView = (): boolean => usePassed()

/** Calls `work` once the first view stands there. */
export function afterFirstView(work: () => void): void {
  if (usePassed.getState()) return work()
  const stop = usePassed.subscribe(() => {
    stop()
    work()
  })
}

/** Something belongs to the first view, until the function that is given back is called. */
export function holdFirstView(): () => void {
  if (usePassed.getState()) return () => undefined
  held += 1
  let isHeld = true
  return () => {
    if (!isHeld) return
    isHeld = false
    release()
  }
}

/** The same for as long as a component is there, such as one in the place of what is still loaded. */
export function useFirstViewHeld(): void {
  useEffect(() => holdFirstView(), [])
}

/** The page of the address is on screen; call it once. */
export const showFirstPage = (): void => release()

function release(): void {
  held -= 1
  // What just came may show something that asks for more.
  if (held === 0) setTimeout(() => held === 0 && pass(), 0)
}

function pass(): void {
  if (!usePassed.getState()) usePassed.setState(true, true)
}
