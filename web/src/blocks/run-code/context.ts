/** Where blocks of code can be run: inside of it they have a button for that. */
import { createContext } from 'react'

export interface RunPlace {
  /** The own chat whose files programs read. */
  readonly chatId: string
}

/** The same object as long as the chat is the same, so that code is not drawn again. */
export const RunContext = createContext<RunPlace | null>(null)
