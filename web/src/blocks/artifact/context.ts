/** Where blocks of code can become artifacts: inside of it they have a button for that. */
import { createContext } from 'react'

export interface ArtifactPlace {
  /** The own chat that what is made belongs to. */
  readonly chatId: string
  /** Shows one beside the chat. */
  readonly open: (artifactId: string) => void
  /** Shows the block that is being written as it grows; absent where nothing is. */
  readonly watch?: () => void
}

/** The same object as long as the chat is the same, so that code is not drawn again. */
export const ArtifactContext = createContext<ArtifactPlace | null>(null)
