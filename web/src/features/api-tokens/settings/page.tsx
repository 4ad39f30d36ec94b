import { type ApiToken, apiTokensRoutes } from '@atrium/contract/api-tokens'
import { useInfiniteQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { pagesOf } from '../../../api/pages.ts'
import { MoreButton } from '../../../blocks/more-button.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Group } from '../../../blocks/setting-row/row.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { TokenForm } from './form.tsx'
import { RevokeDialog } from './revoke.tsx'
import { EndedRow, TokenRow } from './row.tsx'
import { type NewToken, ShownToken } from './shown-token.tsx'
import { useText } from 'virtual:words/api-tokens'

/** So many may be live at a time; the server says so too. */
const liveTokens = 25

/** The tokens with which programs work in the name of the account. */
export function ApiTokens() {
  const t = useText('api-tokens')
  const [form, setForm] = useState<{ token: ApiToken | null } | null>(null)
  const [shown, setShown] = useState<NewToken | null>(null)
  const [asking, setAsking] = useState<ApiToken | null>(null)
  const pages = useInfiniteQuery({
    ...pagesOf(apiTokensRoutes.tokens, { query: { limit: 50 } }),
    staleTime: 0,
  })
  const tokens = pages.data ?? []
  const live = tokens.filter((token) => !hasEnded(token))
  const ended = tokens.filter(hasEnded)
  const create = (
    <span id="create" className="rounded-md">
      <Button
        tone="primary"
        icon={<Plus className="size-4" />}
        disabled={live.length >= liveTokens}
        onClick={() => setForm({ token: null })}
      >
        {t('create')}
      </Button>
    </span>
  )
  return (
    <section id="list" className="-mx-3 rounded-lg px-3">
      <p className="text-muted">{t('about')}</p>
      <QueryView query={pages} title={t('notLoaded')} lines={4}>
        {() =>
          live.length === 0 ? (
            <EmptyState icon={<KeyRound />} title={t('none')} action={create}>
              {t('noneText')}
            </EmptyState>
          ) : (
            <>
              <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
                <p className="text-sm text-muted">{t('count', { count: live.length, limit: liveTokens })}</p>
                {create}
              </div>
              <ul className="mt-2">
                {live.map((token) => (
                  <TokenRow
                    key={token.id}
                    token={token}
                    onEdit={() => setForm({ token })}
                    onRevoke={() => setAsking(token)}
                  />
                ))}
              </ul>
            </>
          )
        }
      </QueryView>
      {ended.length > 0 && (
        <Group title={t('ended')} text={t('endedText')}>
          <ul>
            {ended.map((token) => (
              <EndedRow key={token.id} token={token} />
            ))}
          </ul>
        </Group>
      )}
      <MoreButton pages={pages} className="mt-3" />
      {form && <TokenForm token={form.token} onClose={() => setForm(null)} onMade={setShown} />}
      {shown && <ShownToken shown={shown} onClose={() => setShown(null)} />}
      <RevokeDialog token={asking} onClose={() => setAsking(null)} />
    </section>
  )
}

const hasEnded = ({ revokedAt, expiresAt }: ApiToken): boolean =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now())
