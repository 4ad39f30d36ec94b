import { documentsRoutes } from '@atrium/contract/documents'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { codeOf, wordsOf } from '../../api/errors.ts'
import { completeAddress } from '../../lib/address.ts'
import { Field } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Input } from '../../ui/input.tsx'
import { toast } from '../../ui/toaster.tsx'
import { refreshDocuments } from './data/cache.ts'
import { useText } from 'virtual:words/documents'

/** Takes in a web page by its address. */
export function FetchDialog({ collectionId, onClose }: { collectionId: string | null; onClose: () => void }) {
  const t = useText('documents')
  const [address, setAddress] = useState('')
  const [wrong, setWrong] = useState(false)
  const fetchPage = useMutation({
    mutationFn: (url: string) =>
      call(documentsRoutes.fetchUrl, { body: { url, ...(collectionId ? { collectionId } : {}) } }),
    onSuccess: (document) => {
      refreshDocuments()
      toast(document.deduplicated ? t('fetch.known') : t('fetch.taken'))
      onClose()
    },
  })
  function submit() {
    const url = completeAddress(address)
    setWrong(url === null)
    if (url !== null) fetchPage.mutate(url)
  }
  const code = codeOf(fetchPage.error)
  const error = wrong
    ? t('fetch.wrong')
    : fetchPage.isError
      ? code === 'url_not_allowed'
        ? t('fetch.notAllowed')
        : code === 'provider_unreachable'
          ? t('fetch.unreachable')
          : wordsOf(fetchPage.error)
      : null
  return (
    <FormDialog
      width="narrow"
      title={t('fetch.title')}
      description={t('fetch.text')}
      submit={t('fetch.add')}
      busy={fetchPage.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t('fetch.address')} error={error} required>
        <Input
          type="url"
          dir="ltr"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://example.org/page"
          maxLength={2000}
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
      </Field>
    </FormDialog>
  )
}
