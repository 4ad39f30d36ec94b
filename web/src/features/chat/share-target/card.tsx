import { useEffect, useState } from 'react'
import { useMe } from '../../../api/account.ts'
import { wordsOf } from '../../../api/errors.ts'
import type { DraftBox } from '../../../blocks/composer/draft.ts'
import { formatSize } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/chat-share-target'
import { addShared, discardShared, readShared, type SharedFile, type SharedRefusal } from './shared-files.ts'

/**
 * Asks what becomes of the files that other apps shared: any website can send some, so nothing is uploaded unasked.
 * Empty where there are none. `onAnswer` moves the focus on.
 */
export function SharedFilesCard({ draft, onAnswer }: { draft: DraftBox; onAnswer: () => void }) {
  const t = useText('chat-share-target')
  const { id: accountId } = useMe()
  const [files, setFiles] = useState<readonly SharedFile[]>([])
  const [refused, setRefused] = useState<readonly SharedRefusal[]>([])

  useEffect(() => {
    let isGone = false
    readShared(accountId).then((shared) => {
      // Read once more, it might show again what is being discarded.
      if (isGone) return
      setFiles(shared.files)
      setRefused(shared.refused)
    }, sayWhy)
    return () => {
      isGone = true
    }
  }, [accountId])
  useEffect(() => {
    if (refused.length === 0) return
    for (const reason of refused) toast(t(`refused.${reason}`), { tone: 'danger', ms: 12_000 })
    setRefused([])
  }, [refused, t])

  if (files.length === 0) return null
  const answer = (work: Promise<void>) => {
    setFiles([])
    onAnswer()
    void work.catch(sayWhy)
  }
  return (
    <section aria-label={t('label')} className="mb-2 rounded-xl border border-line bg-raised px-3.5 py-3 text-sm">
      <p role="status" className="font-medium">
        {t('title', { count: files.length })}
      </p>
      {/* It scrolls, so it takes the focus. */}
      <ul tabIndex={0} aria-label={t('files')} className="mt-1 max-h-36 overflow-y-auto text-muted">
        {files.map(({ place, name, sizeBytes }) => (
          <li key={place} className="flex items-baseline gap-2">
            <bdi className="min-w-0 truncate">{name}</bdi>
            <span className="shrink-0 text-xs">{formatSize(sizeBytes)}</span>
          </li>
        ))}
      </ul>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button tone="primary" size="small" onClick={() => answer(addShared(draft, files, accountId))}>
          {t('add')}
        </Button>
        <Button size="small" onClick={() => answer(discardShared(files, accountId))}>
          {t('discard')}
        </Button>
      </div>
    </section>
  )
}

const sayWhy = (error: unknown) => void toast(wordsOf(error), { tone: 'danger' })
