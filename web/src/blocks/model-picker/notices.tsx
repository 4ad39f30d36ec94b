import type { Selection } from '@atrium/contract/common'
import { type Discovery, type ModelList, connectionsRoutes } from '@atrium/contract/connections'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useIsAdmin } from '../../api/account.ts'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { refresh } from '../../api/query.ts'
import { formatAgo } from '../../lib/format.ts'
import { links } from '../../lib/links.ts'
import { Button } from '../../ui/button.tsx'
import { AskForModel } from '../connect/ask-for-model.tsx'
import { hasNoModel, plainName, providerKey, type UnavailableReason, unavailableReason } from '../models.ts'
import { useText } from 'virtual:words/blocks'

/** The choice that stands, though it cannot be used: it is never replaced without a word. */
export function UnavailableChoice({
  list,
  value,
  onClose,
  onOther,
}: {
  list: ModelList | undefined
  value: Selection | null
  onClose: () => void
  /** Shows everything that can be taken instead. */
  onOther: () => void
}) {
  const t = useText('blocks')
  const why = unavailableReason(list, value)
  if (!why || !value) return null
  return (
    <Notice
      title={t('models.unavailable', { name: plainName(value) })}
      action={
        <span className="flex flex-wrap gap-1.5">
          <Button size="small" onClick={onOther}>
            {t('models.chooseAnother')}
          </Button>
          <Button asChild size="small">
            <Link to={fixLink({ selection: value, why })} onClick={onClose}>
              {t(why === 'agent-gone' ? 'models.fixAgent' : 'models.fix')}
            </Link>
          </Button>
        </span>
      }
    >
      {t(`models.why.${why}`)} {t('models.kept')}
    </Notice>
  )
}

/** Where a choice that is not there can be mended. */
export const fixLink = ({ selection, why }: { selection: Selection; why: UnavailableReason }): string =>
  selection.providerType === 'plugin' && selection.providerId && why !== 'removed'
    ? links.connection(selection.providerId)
    : links.settings('connections', selection.providerType === 'agent' ? 'agents' : undefined)

/** The rows are those of an earlier time because they could not be loaded anew. */
export function OldList({ query }: { query: UseQueryResult<ModelList, Error> }) {
  const t = useText('blocks')
  if (!query.data || !query.isError) return null
  return (
    <Notice
      title={t('models.old', { when: formatAgo(query.dataUpdatedAt) })}
      action={
        <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
          {t('models.retry')}
        </Button>
      }
    >
      {wordsOf(query.error)}
    </Notice>
  )
}

/** What is wrong with the provider of the section, and another try. */
export function ProviderNotice({ list, section }: { list: ModelList | undefined; section: string }) {
  const t = useText('blocks')
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<{ section: string; text: string } | null>(null)
  const provider = list?.providers.find((other) => providerKey(other) === section)
  if (!provider) return null
  const outcome = said?.section === section ? said.text : null
  if (provider.state === 'ready' && !outcome) return null
  async function retry() {
    setBusy(true)
    try {
      const id = provider?.providerType === 'plugin' ? provider.providerId : null
      if (id) {
        const { discovery } = await call(connectionsRoutes.discover, { params: { id } })
        setSaid({ section, text: wordsFor(discovery) })
      }
      await refresh(connectionsRoutes.models)
    } catch (error) {
      setSaid({ section, text: wordsOf(error) })
    } finally {
      setBusy(false)
    }
  }
  const wordsFor = (found: Discovery) => t(`models.outcome.${found.outcome}`, found)
  return (
    <Notice
      title={outcome ?? t(`models.state.${provider.state}`)}
      action={
        <Button size="small" busy={busy} onClick={() => void retry()}>
          {t('models.retry')}
        </Button>
      }
    >
      {!outcome && (provider.detail ?? t('models.oldList'))}
    </Notice>
  )
}

/** Where nothing but the built-in model is connected. */
export function NoConnections({ list, onClose }: { list: ModelList | undefined; onClose: () => void }) {
  const t = useText('blocks')
  const admin = useIsAdmin()
  if (!hasNoModel(list)) return null
  if (!admin) {
    return (
      <Notice title={t('models.noConnections')} action={null}>
        <AskForModel />
      </Notice>
    )
  }
  return (
    <Notice
      title={t('models.noConnections')}
      action={
        <Button asChild size="small" tone="primary">
          <Link to={links.settings('connections')} onClick={onClose}>
            {t('models.connect')}
          </Link>
        </Button>
      }
    >
      {t('models.noConnectionsHint')}
    </Notice>
  )
}

function Notice({ title, action, children }: { title: string; action: ReactNode; children?: ReactNode }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line bg-warn-soft px-3 py-2 text-sm"
    >
      <CircleAlert aria-hidden className="size-4 shrink-0 text-warn-ink" />
      <div className="min-w-40 flex-1">
        <span className="font-medium">{title}</span> <span className="text-muted">{children}</span>
      </div>
      {action}
    </div>
  )
}
