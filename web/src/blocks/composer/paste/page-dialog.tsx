import { useState } from 'react'
import { completeAddress } from '../../../lib/address.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { useText } from 'virtual:words/blocks'
import type { DraftBox } from '../draft.ts'
import { bringPage } from './bring-page.ts'

/** Asks for the address of a page to read along. How it goes is told on its chip. */
export function PageDialog({ draft, onClose }: { draft: DraftBox; onClose: () => void }) {
  const t = useText('blocks')
  const [address, setAddress] = useState('')
  const [wrong, setWrong] = useState(false)
  return (
    <FormDialog
      width="narrow"
      title={t('composer.pageTitle')}
      description={t('composer.pageText')}
      submit={t('composer.readPage')}
      onSubmit={() => {
        const url = completeAddress(address)
        setWrong(url === null)
        if (url === null) return
        bringPage(draft, url)
        onClose()
      }}
      onClose={onClose}
    >
      <Field label={t('composer.pageAddress')} error={wrong ? t('composer.pageWrong') : null} required>
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
