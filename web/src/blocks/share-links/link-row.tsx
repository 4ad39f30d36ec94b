import { useMutation } from '@tanstack/react-query'
import { Link2, Pencil, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { announce } from '../../lib/announce.ts'
import { factSeparator, formatAgo, formatDateTime } from '../../lib/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { toast } from '../../ui/toaster.tsx'
import { useText } from 'virtual:words/share-links'
import { type LinkChange, LinkChangeForm } from './change-form.tsx'

/** One link: what it shows, until when, and the ways to change and to revoke it. */
export function LinkRow({
  link,
  facts,
  onRemove,
  onRemoved,
  onChange,
  children,
}: {
  link: { readonly createdAt: string; readonly expiresAt: string; readonly hasPassword: boolean }
  facts: readonly string[]
  onRemove: () => Promise<unknown>
  onRemoved: () => Promise<void>
  onChange: (change: LinkChange) => Promise<unknown>
  /** What else can be done with it. */
  children?: ReactNode
}) {
  const t = useText('share-links')
  const remove = useMutation({
    mutationFn: onRemove,
    onSuccess: async () => {
      announce(t('removed'))
      await onRemoved()
    },
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  const [changing, setChanging] = useState(false)
  const change = useMutation({
    mutationFn: onChange,
    onSuccess() {
      setChanging(false)
      announce(t('change.saved'))
    },
  })
  const time = formatAgo(link.createdAt)
  return (
    <li className="flex flex-wrap items-center gap-x-2.5 gap-y-1 py-1.5 ps-3 pe-1.5">
      <Link2 aria-hidden className="size-4 shrink-0 text-muted" />
      <div className="min-w-32 flex-1">
        <p className="truncate font-medium">{t('row.created', { time })}</p>
        <p className="text-sm text-muted">
          {[...facts, link.hasPassword && t('row.password'), t('row.until', { time: formatDateTime(link.expiresAt) })]
            .filter(Boolean)
            .join(factSeparator())}
        </p>
      </div>
      {children}
      <IconButton
        label={t('row.change', { time })}
        icon={<Pencil />}
        size="small"
        pressed={changing}
        onClick={() => setChanging(!changing)}
      />
      <IconButton
        label={t('row.remove', { time })}
        icon={<X />}
        size="small"
        disabled={remove.isPending}
        onClick={() => remove.mutate()}
      />
      {changing && (
        <LinkChangeForm
          link={link}
          busy={change.isPending}
          error={change.error}
          onSubmit={change.mutate}
          onCancel={() => setChanging(false)}
        />
      )}
    </li>
  )
}
