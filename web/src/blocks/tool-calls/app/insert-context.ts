import { createContext } from 'react'

/** Puts text behind what is typed in the composer of the chat on screen; null where nothing is written. */
export const InsertContext = createContext<((text: string) => void) | null>(null)
