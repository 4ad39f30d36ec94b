import type { DocumentText } from '@atrium/contract/documents'
import { Download, EllipsisVertical, ZoomIn } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator, MenuSub } from '../../ui/menu.tsx'
import { ReadAloudItem, type ReadAloudProps } from '../read-aloud/button.tsx'
import { saveFrom } from '../save-file.ts'
import { sourceUrl } from '../source-url.ts'
import { type Zoom, zoomSteps } from './page-bar.tsx'
import { useText } from 'virtual:words/document-viewer'
import type { ViewMode } from './toolbar.tsx'

/** What has no room in a narrow toolbar. */
export function MoreMenu({
  document,
  reading,
  shown,
  views,
  onShow,
  zoom,
  onZoom,
}: {
  document: DocumentText
  reading: ReadAloudProps
  shown: ViewMode
  views: readonly ViewMode[]
  onShow: (shown: ViewMode) => void
  zoom: Zoom
  onZoom: (zoom: Zoom) => void
}) {
  const t = useText('document-viewer')
  return (
    <Menu trigger={<IconButton label={t('more')} icon={<EllipsisVertical />} />}>
      {views.length > 0 && (
        <>
          <MenuLabel>{t('view.label')}</MenuLabel>
          <MenuChoice
            value={shown}
            onChange={(value) => onShow(value as ViewMode)}
            options={views.map((value) => ({ value, label: t(`view.${value}`) }))}
          />
          <MenuSeparator />
        </>
      )}
      {document.fileType === 'pdf' && shown !== 'text' && (
        <MenuSub icon={<ZoomIn />} label={t('page.size')}>
          <MenuChoice
            value={String(zoom)}
            onChange={(value) => onZoom(value === 'fit' ? 'fit' : Number(value))}
            options={[
              { value: 'fit', label: t('page.fit') },
              ...zoomSteps.map((step) => ({ value: String(step), label: formatNumber(step, { style: 'percent' }) })),
            ]}
          />
        </MenuSub>
      )}
      {document.content && <ReadAloudItem {...reading} />}
      <MenuItem icon={<Download />} onSelect={() => saveFrom(sourceUrl(document.id), document.filename)}>
        {t('download')}
      </MenuItem>
    </Menu>
  )
}
