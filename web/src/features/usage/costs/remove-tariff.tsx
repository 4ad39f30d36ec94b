import { type Tariff, usageRoutes } from '@atrium/contract/usage'
import { useMutation } from '@tanstack/react-query'
import { useText } from 'virtual:words/usage'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toaster.tsx'

/** Asks before a price of one's own is removed: what calls cost changes with it. */
export function RemoveTariff({ tariff, onClose }: { tariff: Tariff; onClose: () => void }) {
  const t = useText('usage')
  const remove = useMutation({
    mutationFn: () => call(usageRoutes.removeTariff, { params: { id: tariff.id } }),
    onSuccess: async () => {
      await Promise.all([refresh(usageRoutes.tariffs), refresh(usageRoutes.report)])
      onClose()
    },
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('budget.removeTitle', { name: tariff.model ?? tariff.providerId })}
      confirm={t('budget.remove')}
      danger
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {t('price.removeText')}
    </ConfirmDialog>
  )
}
