/** Links by which something is shared without an account, in the window in which it is shared. */
import type { UseQueryResult } from '@tanstack/react-query'
import { Link2, Link2Off, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { CopyButton } from '../copy-button.tsx'
import { useText } from 'virtual:words/share-links'

/** Nothing where the administrator allows no links, unless there are some from before. */
export function LinksSection<Item extends { readonly id: string }>({
  lead,
  links,
  row,
  form,
}: {
  /** What whoever has a link can do. */
  lead: string
  links: UseQueryResult<{ readonly allowed: boolean; readonly items: readonly Item[] }>
  row: (item: Item) => ReactNode
  /** Makes another one, and says where it is; `url` may be without scheme and host. */
  form: (onMade: (url: string) => void) => ReactNode
}) {
  const t = useText('share-links')
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  if (links.isPending) return null
  if (links.isError) {
    return (
      <ErrorCard
        className="mt-5"
        title={t('notLoaded')}
        details={detailsOf(links.error)}
        onRetry={() => void links.refetch()}
      >
        {wordsOf(links.error)}
      </ErrorCard>
    )
  }
  const { allowed, items } = links.data
  if (!allowed && items.length === 0) return null
  return (
    <section aria-label={t('title')} className="mt-6 border-t border-line pt-4">
      <h3 className="text-sm font-medium">{t('title')}</h3>
      <p className="mb-2 text-sm text-muted">{lead}</p>
      {items.length === 0 ? (
        <p className="flex items-center gap-2 py-1.5 text-muted">
          <Link2Off aria-hidden className="size-4 shrink-0" />
          {t('none')}
        </p>
      ) : (
        <ul aria-label={t('title')} className="divide-y divide-line rounded-lg border border-line">
          {items.map(row)}
        </ul>
      )}
      {made && <MadeLink url={made} />}
      {making
        ? form((url) => {
            // Where nobody told the server its address, it is the one of this page.
            setMade(new URL(url, location.origin).href)
            setMaking(false)
          })
        : allowed && (
            <Button className="mt-3" icon={<Link2 className="size-4" />} onClick={() => setMaking(true)}>
              {t('create')}
            </Button>
          )}
    </section>
  )
}

function MadeLink({ url }: { url: string }) {
  const t = useText('share-links')
  return (
    <div role="status" className="mt-3">
      <p className="text-sm font-medium">{t('made')}</p>
      <div className="mt-1 flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-1 ps-3 pe-1">
        <code dir="ltr" className="min-w-0 flex-1 text-start font-mono text-sm break-all select-all">
          {url}
        </code>
        <CopyButton text={url} label={t('copy')} />
      </div>
      <p className="mt-1.5 flex items-start gap-1.5 text-sm text-warn-ink">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        {t('once')}
      </p>
    </div>
  )
}
