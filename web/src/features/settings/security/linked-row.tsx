import type { Route } from '@atrium/contract/route'
import { useMutation } from '@tanstack/react-query'
import { type LucideIcon, Unlink } from 'lucide-react'
import type { ReactNode } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/settings'

/** An account elsewhere by which the person comes in, and the way to take it off. */
export function LinkedRow({
  icon: Icon,
  name,
  unlink,
  list,
  children,
}: {
  icon: LucideIcon
  name: string
  /** Left out where it is the only way in. */
  unlink?: () => Promise<unknown>
  /** What tells of it, and is asked again afterwards. */
  list: Route
  /** What is known of it, in one line. */
  children: ReactNode
}) {
  const t = useText('settings')
  const leave = useMutation({
    mutationFn: async () => await unlink?.(),
    onSuccess: () => toast(t('security.unlinked', { name })),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => void refresh(list),
  })
  return (
    <li className="flex items-center gap-3 border-b border-line py-3">
      <Icon aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate font-medium">
          {name}
        </p>
        <p className="text-sm wrap-anywhere text-muted">{children}</p>
      </div>
      {unlink && (
        <Button
          size="small"
          busy={leave.isPending}
          icon={<Unlink className="size-3.5" />}
          aria-label={t('security.unlinkNamed', { name })}
          onClick={() => leave.mutate()}
        >
          {t('security.unlink')}
        </Button>
      )}
    </li>
  )
}
