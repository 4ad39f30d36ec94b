import { documentsRoutes } from '@atrium/contract/documents'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { codeOf, wordsOf } from '../../api/errors.ts'
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
    const url = completed(address)
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

/** The whole address, `https` where nothing is said; null where it is none. */
function completed(address: string): string | null {
  const text = address.trim()
  const whole = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[\w.-]+:\d/.test(text) ? text : `https://${text}`
  try {
    const url = new URL(whole)
    return /^https?:$/.test(url.protocol) && url.hostname.includes('.') ? url.href : null
  } catch {
    // What cannot be read as an address is none.
    return null
  }
}
