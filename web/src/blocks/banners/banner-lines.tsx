/** What administrators tell everybody, at the top of the shell. */
import { Info, TriangleAlert, X } from 'lucide-react'
import { classNames } from '../../lib/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { BannerText } from './banner-text.tsx'
import { useBanners } from './shown.ts'
import { useText } from 'virtual:words/banners'

/** At most two at once; the next comes when one is put away. */
const most = 2

export function BannerLines() {
  const t = useText('banners')
  const { banners, dismiss } = useBanners()
  return banners.slice(0, most).map((banner) => (
    <section
      key={banner.id}
      aria-label={t(`kind.${banner.kind}`)}
      className={classNames(
        'flex min-h-8 items-center justify-center gap-2.5 px-4 py-1.5 text-sm',
        banner.kind === 'warning' ? 'bg-warn-soft text-warn-ink' : 'bg-info-soft text-info-ink',
      )}
    >
      {banner.kind === 'warning' ? (
        <TriangleAlert aria-hidden className="size-4 shrink-0" />
      ) : (
        <Info aria-hidden className="size-4 shrink-0" />
      )}
      <div className="max-h-24 min-w-0 overflow-y-auto">
        <BannerText text={banner.text} />
      </div>
      {banner.dismissible && (
        <IconButton label={t('dismiss')} icon={<X />} size="small" className="-my-1" onClick={() => dismiss(banner)} />
      )}
    </section>
  ))
}
