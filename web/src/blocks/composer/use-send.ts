import { useEffect, useState } from 'react'
import type { DraftFile } from './draft-file.ts'

/**
 * Sends what is written: at once, or when the files are there that are being uploaded. What was asked for is taken back by
 * asking again, by writing on, and by a file that fails.
 */
export function useSend(
  { content, chips, reason }: { content: string; chips: readonly DraftFile[]; reason: string | null },
  onSend: () => void,
): { readonly isUploading: boolean; readonly isWaiting: boolean; readonly send: () => void } {
  const [wanted, setWanted] = useState<{ content: string; failed: number } | null>(null)
  const isUploading = chips.some(({ state }) => state === 'uploading' || state === 'waiting')
  const failed = chips.filter(({ state }) => state === 'failed').length
  const isAsWanted = wanted?.content === content && wanted.failed === failed
  useEffect(() => {
    if (!wanted || (isUploading && isAsWanted)) return
    setWanted(null)
    if (isAsWanted && reason === null) onSend()
  }, [wanted, isUploading, isAsWanted, reason, onSend])
  return {
    isUploading,
    isWaiting: wanted !== null,
    send: () => {
      if (isUploading) setWanted(wanted ? null : { content, failed })
      else if (reason === null) onSend()
    },
  }
}
