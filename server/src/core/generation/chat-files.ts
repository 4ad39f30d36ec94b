/** The files of a chat, for areas that let programs read them; `features/chat` has them. */
export interface ChatFile {
  readonly name: string
  readonly sizeBytes: number
  /** null: it is gone meanwhile. */
  read(): Promise<Uint8Array | null>
}

export interface ChatFiles {
  /** What was attached to an own chat, the oldest first; null: the account has no such chat. */
  listFiles(accountId: string, chatId: string): Promise<readonly ChatFile[] | null>
}
