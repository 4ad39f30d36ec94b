import { AddressDialog } from '../../address-dialog.tsx'
import { useText } from 'virtual:words/blocks'
import type { DraftBox } from '../draft.ts'
import { bringPage } from './bring-page.ts'

/** Asks for the address of a page to read along. How it goes is told on its chip. */
export function PageDialog({ draft, onClose }: { draft: DraftBox; onClose: () => void }) {
  const t = useText('blocks')
  return (
    <AddressDialog
      title={t('composer.pageTitle')}
      description={t('composer.pageText')}
      submit={t('composer.readPage')}
      label={t('composer.pageAddress')}
      wrong={t('composer.pageWrong')}
      onAddress={(url) => {
        bringPage(draft, url)
        onClose()
      }}
      onClose={onClose}
    />
  )
}
