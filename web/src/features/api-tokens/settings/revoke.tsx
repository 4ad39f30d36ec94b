import { type ApiToken, apiTokensRoutes } from '@atrium/contract/api-tokens'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/api-tokens'

/** Asks first: there is no way back from it. */
export function RevokeDialog({ token, onClose }: { token: ApiToken | null; onClose: () => void }) {
  const t = useText('api-tokens')
  const name = token?.name ?? ''
  const revoke = useMutation({
    mutationFn: (id: string) => call(apiTokensRoutes.revokeToken, { params: { id } }),
    onSuccess: () => {
      toast(t('revoke.done', { name }))
      onClose()
    },
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => void refresh(apiTokensRoutes.tokens),
  })
  return (
    <ConfirmDialog
      open={token !== null}
      onOpenChange={(open) => !open && onClose()}
      title={t('revoke.title', { name })}
      confirm={t('revoke.do')}
      danger
      busy={revoke.isPending}
      onConfirm={() => token && revoke.mutate(token.id)}
    >
      {t('revoke.text')}
    </ConfirmDialog>
  )
}
