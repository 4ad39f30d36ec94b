/** What is being read aloud: one thing at a time, wherever one goes in the app. */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

export interface Reading {
  /** What is read, such as the id of a message. */
  readonly id: string
  readonly title: string
  /** The sentence that is spoken. */
  readonly at: number
  readonly count: number
  readonly text: string
  readonly state: 'loading' | 'playing' | 'paused'
  readonly speed: number
}

export const reading = createStore<{ readonly now: Reading | null }>(() => ({ now: null }))

export const useReading = (): Reading | null => useStore(reading, ({ now }) => now)
/** Whether this very thing is being read. */
export const useIsReading = (id: string): boolean => useStore(reading, ({ now }) => now?.id === id)
