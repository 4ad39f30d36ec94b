import { FileSpreadsheet, Globe, Table2, X } from 'lucide-react'
import { useStore } from 'zustand'
import { shortAddress } from '../../../lib/address.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useText } from 'virtual:words/blocks'
import type { DraftBox } from '../draft.ts'
import { bringPage } from './bring-page.ts'
import { type Table, tableToCsv, tableToMarkdown } from './paste-rules.ts'

export type PasteContent =
  | { readonly kind: 'page'; readonly address: string }
  /** `text` is what stands in the box for it. */
  | { readonly kind: 'table'; readonly table: Table; readonly text: string }

/** What else could be done with what was pasted; it goes once the text does not hold it any more. */
export function PasteOffer({
  pasted,
  draft,
  onDone,
}: {
  pasted: PasteContent
  draft: DraftBox
  /** Something was chosen, or the offer is not wanted. */
  onDone: () => void
}) {
  const t = useText('blocks')
  const content = useStore(draft.store, (state) => state.content)
  if (!content.includes(pasted.kind === 'page' ? pasted.address : pasted.text)) return null
  const replace = (text: string) => {
    if (pasted.kind === 'table') draft.type(content.replace(pasted.text, () => text))
    onDone()
  }
  return (
    <div role="status" className="flex flex-wrap items-center gap-1.5 px-3 pb-1.5 text-sm text-muted">
      <span className="min-w-0 truncate ps-1">
        {pasted.kind === 'page' ? (
          <bdi dir="ltr">{shortAddress(pasted.address)}</bdi>
        ) : (
          t('composer.table', { rows: pasted.table.length, columns: pasted.table[0]?.length ?? 0 })
        )}
      </span>
      {pasted.kind === 'page' ? (
        <Button
          size="small"
          icon={<Globe className="size-3.5" />}
          onClick={() => {
            bringPage(draft, pasted.address)
            onDone()
          }}
        >
          {t('composer.readPage')}
        </Button>
      ) : (
        <>
          <Button
            size="small"
            icon={<Table2 className="size-3.5" />}
            onClick={() => replace(`${tableToMarkdown(pasted.table)}\n`)}
          >
            {t('composer.asMarkdown')}
          </Button>
          <Button
            size="small"
            icon={<FileSpreadsheet className="size-3.5" />}
            onClick={() => {
              draft.attach([csvFile(pasted.table)])
              replace('')
            }}
          >
            {t('composer.asCsv')}
          </Button>
        </>
      )}
      <IconButton label={t('composer.noOffer')} icon={<X />} size="small" tooltipSide="top" onClick={onDone} />
    </div>
  )
}

/** A table as a file to attach. */
const csvFile = (table: Table): File => new File([tableToCsv(table)], 'pasted-table.csv', { type: 'text/csv' })
