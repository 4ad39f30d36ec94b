import { Trash2, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useIsAdmin } from '../../../api/account.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { DeleteDialog } from './delete.tsx'
import { useText } from 'virtual:words/connections'

/** Installed connections that cannot be read. Nothing can be done with them but to delete them. */
export function UnreadableConnections({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null
  return (
    <ul className="mt-3 flex flex-col gap-3">
      {ids.map((id) => (
        <li key={id}>
          <UnreadableCard id={id} />
        </li>
      ))}
    </ul>
  )
}

function UnreadableCard({ id }: { id: string }) {
  const t = useText('connections')
  const admin = useIsAdmin()
  const [asking, setAsking] = useState(false)
  return (
    <article className="flex items-start gap-3 rounded-xl border border-line bg-raised px-4 py-3.5" aria-label={id}>
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn-ink" />
      <div className="min-w-0 flex-1">
        <h4 className="truncate text-md font-semibold">
          <bdi>{id}</bdi>
        </h4>
        <p className="mt-0.5 text-sm text-muted">{admin ? t('unreadable.text') : t('unreadable.textMember')}</p>
      </div>
      {admin && (
        <>
          <IconButton
            label={t('delete.named', { name: id })}
            icon={<Trash2 />}
            size="small"
            tone="danger"
            onClick={() => setAsking(true)}
          />
          <DeleteDialog connection={{ id, name: id, source: 'installed' }} open={asking} onOpenChange={setAsking} />
        </>
      )}
    </article>
  )
}
