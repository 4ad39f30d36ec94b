import type { Message } from '@atrium/contract/chat'
import { ChevronLeft, ChevronRight, Columns2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { WindowComing } from '../../../ui/early-keys.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { showSibling } from '../open/edit.ts'
import { useText } from 'virtual:words/chat'
import { useThread } from './context.ts'

const VersionsDialog = lazy(() =>
  import('./versions-dialog.tsx').then((module) => ({ default: module.VersionsDialog })),
)

/** `‹ 2 / 3 ›`: the other versions of a message, one at a time or side by side. */
export function Siblings({ message }: { message: Message }) {
  const t = useText('chat')
  const { chat, attempt, ownerName } = useThread()
  const [comparing, setComparing] = useState(false)
  const { siblingIndex: index, siblingCount: count, branchName } = message
  // Which branch is shown is its owner’s choice.
  if (count < 2 || ownerName !== null) return null
  const go = (to: number) => attempt(() => showSibling(chat, message, to))
  return (
    <span role="group" aria-label={t('siblings.label')} className="inline-flex items-center text-xs tabular-nums">
      <IconButton
        label={t('siblings.previous')}
        keys="["
        icon={<ChevronLeft />}
        size="small"
        disabled={index === 0}
        onClick={() => go(index - 1)}
      />
      <span aria-label={t('siblings.place', { index: index + 1, count })}>
        {formatNumber(index + 1)} / {formatNumber(count)}
      </span>
      <IconButton
        label={t('siblings.next')}
        keys="]"
        icon={<ChevronRight />}
        size="small"
        disabled={index === count - 1}
        onClick={() => go(index + 1)}
      />
      {branchName && (
        <bdi title={branchName} className="me-1 max-w-28 truncate font-medium tab:max-w-48">
          {branchName}
        </bdi>
      )}
      <IconButton label={t('siblings.compare')} icon={<Columns2 />} size="small" onClick={() => setComparing(true)} />
      {comparing && (
        <Suspense fallback={<WindowComing onClose={() => setComparing(false)} />}>
          <VersionsDialog message={message} onClose={() => setComparing(false)} />
        </Suspense>
      )}
    </span>
  )
}
