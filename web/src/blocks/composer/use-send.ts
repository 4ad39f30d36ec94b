import { useEffect, useState } from 'react'
import { toast } from '../../ui/toaster.tsx'
import type { DraftFile } from './draft-file.ts'

/** What is written and attached at a moment. */
interface Written {
  readonly content: string
  readonly files: number
  readonly failed: number
}

export interface Sending {
  readonly isUploading: boolean
  /** It leaves when the files are there. */
  readonly isWaiting: boolean
  /** Sends now, or when the files that are being uploaded are there. */
  send(): void
  /** Takes back what waits for files. */
  keep(): void
}

/**
 * Sends what is written: at once, or when the files are there that are being uploaded. Writing on, taking a file away, a
 * file that fails and leaving the chat take it back; where it may not leave in the end, the `reason` is told.
 */
export function useSend(
  { content, chips, reason }: { content: string; chips: readonly DraftFile[]; reason: string | null },
  onSend: () => void,
): Sending {
  const [waiting, setWaiting] = useState<Written | null>(null)
  const isUploading = chips.some(({ state }) => state === 'uploading' || state === 'waiting')
  const failed = chips.filter(({ state }) => state === 'failed').length
  const isSame = waiting?.content === content && waiting.failed === failed && chips.length >= waiting.files
  useEffect(() => {
    if (!waiting || (isUploading && isSame)) return
    setWaiting(null)
    if (!isSame) return
    if (reason === null) onSend()
    else toast(reason)
  }, [waiting, isUploading, isSame, reason, onSend])
  return {
    isUploading,
    isWaiting: waiting !== null,
    send: () => {
      if (isUploading) setWaiting({ content, failed, files: chips.length })
      else if (reason === null) onSend()
    },
    keep: () => setWaiting(null),
  }
}
