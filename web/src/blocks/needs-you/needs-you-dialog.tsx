import type { PendingApproval } from '@atrium/contract/tools'
import { Link } from '@tanstack/react-router'
import { formatAgo, formatDateTime } from '../../lib/format.ts'
import { links } from '../../lib/links.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useText } from 'virtual:words/needs-you'
import { decideCall } from '../tool-calls/decide-call.ts'
import { PendingCard } from '../tool-calls/pending-card.tsx'
import { toCall } from './pending.ts'

/** Everything that waits for a decision, with the same cards as where it stands. */
export function NeedsYouDialog({ pending, onClose }: { pending: readonly PendingApproval[]; onClose: () => void }) {
  const t = useText('needs-you')
  return (
    <Dialog open onOpenChange={onClose} title={t('title')} width="wide">
      {pending.length === 0 ? (
        <p className="py-6 text-center text-muted">{t('nothing')}</p>
      ) : (
        <ul className="flex flex-col gap-4 pb-2">
          {pending.map((each) => (
            <li key={each.id}>
              <p className="mb-1 flex flex-wrap items-center gap-x-2 text-sm text-muted">
                <span title={formatDateTime(each.createdAt)}>{formatAgo(each.createdAt)}</span>
                {each.chatId && (
                  <Link
                    to={links.chat(each.chatId, each.subjectId)}
                    onClick={onClose}
                    className="text-accent-ink underline underline-offset-2"
                  >
                    {t('open')}
                  </Link>
                )}
              </p>
              <PendingCard
                call={toCall(each)}
                chatId={each.chatId}
                decide={(verdict) => decideCall(each.id, verdict)}
              />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
