import type { Connection } from '@atrium/contract/connections'
import { Link } from '@tanstack/react-router'
import { KeyRound, Pencil, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useIsAdmin } from '../../../api/account.ts'
import { wordsOf } from '../../../api/errors.ts'
import { MakerMark } from '../../../blocks/maker-mark/maker-mark.tsx'
import { makerOfProvider } from '../../../blocks/maker-mark/makers.ts'
import { Outcome } from '../../../blocks/connect/outcome.tsx'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { DeleteDialog } from './delete.tsx'
import { ConnectionFacts } from './facts.tsx'
import { KeyForm } from './key-form.tsx'
import { useActivity } from './state.ts'
import { useText } from 'virtual:words/connections'

/** One connection: where it leads, what it offers, and what can be done with it. */
export function ConnectionCard({ connection }: { connection: Connection }) {
  const t = useText('connections')
  const admin = useIsAdmin()
  const { activity, discover, took, outcome, error } = useActivity(connection)
  const [keyForm, setKeyForm] = useState(false)
  const [asking, setAsking] = useState(false)
  const { name } = connection
  const takesKey = connection.keyState === 'other-route' || connection.needsKey || connection.hasKey
  return (
    <article className="rounded-xl border border-line bg-raised" aria-label={name}>
      <div className="flex items-start gap-3 px-4 pt-3.5">
        <MakerMark
          maker={makerOfProvider({ providerType: 'plugin', providerId: connection.id }, name)}
          className="mt-0.5 size-8"
        />
        <div className="min-w-0 flex-1">
          <h4 className="truncate text-md font-semibold">
            <Link to={links.connection(connection.id)} className="hover:underline">
              <bdi>{name}</bdi>
            </Link>
          </h4>
          <p dir="ltr" className="truncate text-start font-mono text-xs text-muted" title={connection.endpoint}>
            {connection.endpoint}
          </p>
        </div>
        <Switch
          aria-label={t('active', { name })}
          checked={connection.active}
          disabled={activity.isPending}
          onChange={(on) => activity.mutate(on)}
          className="mt-1"
        />
      </div>
      <ConnectionFacts connection={connection} className="px-4 pt-2.5" />
      {outcome && <Outcome discovery={outcome} className="px-4 pt-2.5" />}
      {error && (
        <ErrorCard title={t('failed')} className="mx-4 mt-3">
          {wordsOf(error)}
        </ErrorCard>
      )}
      {keyForm && (
        <div className="px-4 pt-3">
          <KeyForm
            id={connection.id}
            autoFocus
            onCancel={() => setKeyForm(false)}
            onDone={(answer) => {
              setKeyForm(false)
              took(answer)
            }}
          />
        </div>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-1 border-t border-line px-2 py-1.5 max-tab:[&>:not(:last-child)_svg]:hidden">
        <Button
          tone="quiet"
          size="small"
          busy={discover.isPending}
          disabled={!connection.active}
          icon={<RefreshCw className="size-3.5" />}
          onClick={() => discover.mutate()}
        >
          {t('refresh')}
        </Button>
        {takesKey && (
          <Button
            tone="quiet"
            size="small"
            icon={<KeyRound className="size-3.5" />}
            aria-expanded={keyForm}
            onClick={() => setKeyForm(!keyForm)}
          >
            {connection.hasKey ? t('key.change') : t('key.add')}
          </Button>
        )}
        <Button asChild tone="quiet" size="small">
          <Link to={links.connection(connection.id)} aria-label={t('editNamed', { name })}>
            <Pencil aria-hidden className="size-3.5" />
            {t('edit')}
          </Link>
        </Button>
        {admin && connection.source !== 'bundled' && (
          <IconButton
            label={t('delete.named', { name })}
            icon={<Trash2 />}
            size="small"
            tone="danger"
            className="ms-auto"
            onClick={() => setAsking(true)}
          />
        )}
      </div>
      <DeleteDialog connection={connection} open={asking} onOpenChange={setAsking} />
    </article>
  )
}
