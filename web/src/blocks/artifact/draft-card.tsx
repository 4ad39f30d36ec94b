import { useEffect } from 'react'
import { factSeparator, formatSize } from '../../lib/format.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { useText } from 'virtual:words/artifact'
import { readDraft } from './draft.ts'

/** What is being written, in one line that shows it beside the chat; it is offered there once by itself. */
export function DraftCard({ tool, args, onOpen }: { tool: string; args: string; onOpen: (unasked?: boolean) => void }) {
  const t = useText('artifact')
  const draft = readDraft(tool, args)
  const isThere = draft !== null
  useEffect(() => {
    if (isThere) onOpen(true)
  }, [isThere, onOpen])
  if (!draft) return null
  const isNew = 'kind' in draft
  const title = (isNew ? draft.title : draft.change.title) || t(isNew ? 'newDraft' : 'changedDraft')
  return (
    <button
      type="button"
      onClick={() => onOpen()}
      className="hit my-3 flex w-full max-w-md items-center gap-3 rounded-lg border border-line bg-raised px-3.5 py-2.5 text-start hover:bg-hover"
    >
      <Spinner size={16} />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate font-medium">
          {title}
        </span>
        <span className="block truncate text-sm text-muted">
          {[t('writing'), formatSize(new Blob([args]).size)].join(factSeparator())}
        </span>
      </span>
    </button>
  )
}
