/** What administrators tell visitors, on the sign-in page. */
import { brandingRoutes } from '@atrium/contract/branding'
import { useQuery } from '@tanstack/react-query'
import { Info, TriangleAlert } from 'lucide-react'
import { classNames } from '../../lib/class-names.ts'
import { queryOf, refresh } from '../../api/query.ts'
import { BannerText } from './banner-text.tsx'
import { useChangesAt } from './shown.ts'
import { useText } from 'virtual:words/banners'

export function PublicBanners() {
  const t = useText('banners')
  const { data } = useQuery({ ...queryOf(brandingRoutes.publicBanners, {}, { asGuest: true }), staleTime: 0 })
  useChangesAt(data?.changesAt ?? null, () => void refresh(brandingRoutes.publicBanners))
  if (!data || data.items.length === 0) return null
  return (
    <div className="mb-5 flex flex-col gap-2">
      {data.items.map(({ id, text, kind }) => (
        <section
          key={id}
          aria-label={t(`kind.${kind}`)}
          className={classNames(
            'flex items-start gap-2.5 rounded-lg px-3 py-2 text-sm [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0',
            kind === 'warning' ? 'bg-warn-soft text-warn-ink' : 'bg-info-soft text-info-ink',
          )}
        >
          {kind === 'warning' ? <TriangleAlert aria-hidden /> : <Info aria-hidden />}
          <BannerText text={text} />
        </section>
      ))}
    </div>
  )
}
