import type { ApiToken } from '@atrium/contract/api-tokens'
import { Ban, Pencil } from 'lucide-react'
import { useIsAdmin } from '../../../api/account.ts'
import { formatAgo, formatDay, formatDateTime } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { BudgetBadge } from './budget-choice.tsx'
import { purposeOf } from './rights.ts'
import { useText } from 'virtual:words/api-tokens'

/** One token: how it is recognised, what it may do, and until when. */
export function TokenRow({ token, onEdit, onRevoke }: { token: ApiToken; onEdit: () => void; onRevoke: () => void }) {
  const t = useText('api-tokens')
  const { name, expiresAt, models } = token
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2.5 border-b border-line py-3.5">
      <div className="min-w-56 flex-1">
        <Name token={token} />
        <div className="mt-1.5 flex flex-wrap gap-1.5">
          <Rights token={token} />
          {models && <Badge>{t('models.some', { count: models.length })}</Badge>}
          <Badge>{t('perMinute', { count: token.ratePerMinute })}</Badge>
          {token.budget && <BudgetBadge budget={token.budget} />}
        </div>
        <p className="mt-1.5 text-sm text-muted">
          {expiresAt ? <Expiry at={expiresAt} /> : t('neverExpires')}
          {' · '}
          {token.lastUsedAt ? (
            <span title={formatDateTime(token.lastUsedAt)}>{t('used', { when: formatAgo(token.lastUsedAt) })}</span>
          ) : (
            t('neverUsed')
          )}
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          size="small"
          icon={<Pencil className="size-3.5" />}
          aria-label={t('editNamed', { name })}
          onClick={onEdit}
        >
          {t('edit')}
        </Button>
        <Button
          size="small"
          icon={<Ban className="size-3.5" />}
          aria-label={t('revoke.named', { name })}
          onClick={onRevoke}
        >
          {t('revoke.do')}
        </Button>
      </div>
    </li>
  )
}

/** A token that is over, and why. */
export function EndedRow({ token }: { token: ApiToken }) {
  const t = useText('api-tokens')
  const at = token.revokedAt ?? token.expiresAt ?? token.createdAt
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line py-2.5">
      <div className="min-w-56 flex-1">
        <Name token={token} />
      </div>
      <Badge tone={token.revokedAt ? 'danger' : 'warn'}>{token.revokedAt ? t('revoked') : t('expired')}</Badge>
      <span className="text-sm text-muted" title={formatDateTime(at)}>
        {formatDay(at)}
      </span>
    </li>
  )
}

function Name({ token }: { token: ApiToken }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-2.5">
      <bdi className="min-w-0 font-medium wrap-anywhere">{token.name}</bdi>
      <code dir="ltr" className="font-mono text-xs text-muted">
        {token.tokenPrefix}…
      </code>
    </p>
  )
}

/** In words where it is one of the usual purposes, else the scopes themselves. */
function Rights({ token: { scopes } }: { token: ApiToken }) {
  const t = useText('api-tokens')
  const purpose = purposeOf(scopes, useIsAdmin())
  if (purpose !== 'custom') return <Badge tone="accent">{t(`purpose.${purpose}`)}</Badge>
  return (
    <>
      {scopes.slice(0, shownScopes).map((scope) => (
        <Badge key={scope} tone={scope === 'admin' ? 'warn' : 'accent'}>
          <bdi>{scope}</bdi>
        </Badge>
      ))}
      {scopes.length > shownScopes && (
        <Badge className="cursor-default">
          <span title={scopes.slice(shownScopes).join(', ')}>
            {t('scopes.others', { count: scopes.length - shownScopes })}
          </span>
        </Badge>
      )}
    </>
  )
}
const shownScopes = 4

function Expiry({ at }: { at: string }) {
  const t = useText('api-tokens')
  const soon = Date.parse(at) - Date.now() < 7 * 86_400_000
  return (
    <span title={formatDateTime(at)} className={soon ? 'font-medium text-warn-ink' : undefined}>
      {t('expires', { when: soon ? formatAgo(at) : formatDay(at) })}
    </span>
  )
}
