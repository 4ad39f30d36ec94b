import { documentsRoutes } from '@atrium/contract/documents'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { codeOf, wordsOf } from '../../api/errors.ts'
import { AddressDialog } from '../../blocks/address-dialog.tsx'
import { toast } from '../../ui/toaster.tsx'
import { refreshDocuments } from './data/cache.ts'
import { useText } from 'virtual:words/documents'

/** Takes in a web page by its address. */
export function FetchDialog({ collectionId, onClose }: { collectionId: string | null; onClose: () => void }) {
  const t = useText('documents')
  const fetchPage = useMutation({
    mutationFn: (url: string) =>
      call(documentsRoutes.fetchUrl, { body: { url, ...(collectionId ? { collectionId } : {}) } }),
    onSuccess: (document) => {
      refreshDocuments()
      toast(document.deduplicated ? t('fetch.known') : t('fetch.taken'))
      onClose()
    },
  })
  const code = codeOf(fetchPage.error)
  const error = fetchPage.isError
    ? code === 'url_not_allowed'
      ? t('fetch.notAllowed')
      : code === 'provider_unreachable'
        ? t('fetch.unreachable')
        : wordsOf(fetchPage.error)
    : null
  return (
    <AddressDialog
      title={t('fetch.title')}
      description={t('fetch.text')}
      submit={t('fetch.add')}
      label={t('fetch.address')}
      wrong={t('fetch.wrong')}
      error={error}
      busy={fetchPage.isPending}
      onAddress={(url) => fetchPage.mutate(url)}
      onClose={onClose}
    />
  )
}
