import { brandingRoutes, type BrandingSettings } from '@atrium/contract/branding'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { queryOf } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { SourceBadge } from '../../../blocks/setting-row/source-badge.tsx'
import { TextRow } from '../../../blocks/setting-row/text-row.tsx'
import { Banners } from './banners.tsx'
import { keepBranding } from './keep.ts'
import { Logos } from './logos.tsx'
import { useText } from 'virtual:words/branding'

/** What the workspace is called, its logos, and what is told to everybody. */
export function BrandingPage() {
  const settings = useQuery(queryOf(brandingRoutes.brandingSettings))
  return (
    <>
      <QueryView query={settings}>
        {(found) => (
          <>
            <NameRow settings={found} />
            <Logos settings={found} />
          </>
        )}
      </QueryView>
      <Banners />
    </>
  )
}

function NameRow({ settings: { name } }: { settings: BrandingSettings }) {
  const t = useText('branding')
  return (
    <TextRow
      id="name"
      label={t('entry.name')}
      help={t('nameHelp')}
      value={name.value}
      maxLength={60}
      disabled={name.source === 'environment'}
      state={<SourceBadge setting={name} />}
      onSave={async (text) => {
        const saved = await call(brandingRoutes.updateBranding, { body: { name: text.trim() } })
        keepBranding(saved)
        return saved.name.value
      }}
    />
  )
}
