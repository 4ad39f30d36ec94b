import { type IdentityProvider, signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { useMutation, useQuery } from '@tanstack/react-query'
import { FlaskConical, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { ProviderForm } from './provider-form.tsx'
import { RemoveProvider } from './remove-provider.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { useText } from 'virtual:words/sign-in-providers'

/** Others who tell who somebody is: GitHub, Hugging Face, and every OpenID provider. */
export function Providers() {
  const t = useText('sign-in-providers')
  const providers = useQuery({ ...queryOf(signInProvidersRoutes.identityProviders), staleTime: 0 })
  const [form, setForm] = useState<{ provider: IdentityProvider | null } | null>(null)
  const [removing, setRemoving] = useState<Pick<IdentityProvider, 'id' | 'name' | 'accounts'> | null>(null)
  return (
    <Section id="providers" title={t('providers')} text={t('providersText')}>
      <QueryView query={providers}>
        {({ items, unreadable }) => (
          <>
            {items.length + unreadable.length === 0 && <p className="py-3 text-sm text-muted">{t('none')}</p>}
            <ul>
              {items.map((provider) => (
                <ProviderRow
                  key={provider.id}
                  provider={provider}
                  onEdit={() => setForm({ provider })}
                  onRemove={() => setRemoving(provider)}
                />
              ))}
              {unreadable.map((id) => (
                <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-3">
                  <div className="min-w-44 flex-1">
                    <p className="flex flex-wrap items-center gap-2 font-medium">
                      <bdi>{id}</bdi>
                      <Badge tone="warn">{t('unreadable')}</Badge>
                    </p>
                    <p className="text-sm text-muted">{t('unreadableText')}</p>
                  </div>
                  <Button
                    size="small"
                    tone="danger"
                    icon={<Trash2 className="size-3.5" />}
                    aria-label={t('removeTitle', { name: id })}
                    onClick={() => setRemoving({ id, name: id, accounts: 0 })}
                  >
                    {t('remove')}
                  </Button>
                </li>
              ))}
            </ul>
            <Button
              className="mt-4"
              tone="primary"
              icon={<Plus className="size-4" />}
              onClick={() => setForm({ provider: null })}
            >
              {t('add')}
            </Button>
            {form && (
              <ProviderForm
                provider={form.provider}
                taken={[...items.map(({ id }) => id), ...unreadable]}
                onClose={() => setForm(null)}
              />
            )}
            {removing && <RemoveProvider provider={removing} onClose={() => setRemoving(null)} />}
          </>
        )}
      </QueryView>
    </Section>
  )
}

function ProviderRow({
  provider,
  onEdit,
  onRemove,
}: {
  provider: IdentityProvider
  onEdit: () => void
  onRemove: () => void
}) {
  const t = useText('sign-in-providers')
  const { name, kind, source, enabled, accounts } = provider
  const isFixed = source === 'environment'
  const trial = useMutation({
    mutationFn: (opened: Window | null) =>
      call(signInProvidersRoutes.tryIdentityProvider, { params: { id: provider.id } }).then(({ url }) => {
        if (opened) opened.location.assign(url)
        else location.assign(url)
      }),
    onError: (error, opened) => {
      opened?.close()
      toast(wordsOf(error), { tone: 'danger' })
    },
  })
  // A window has to be opened by the click itself; its address comes later.
  const tryOut = () => trial.mutate(window.open('about:blank', '_blank', 'popup,width=640,height=760'))
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-3">
      <div className="min-w-44 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <bdi>{name}</bdi>
          {!enabled && <Badge>{t('off')}</Badge>}
          {isFixed && <Badge tone="info">{t('fromEnvironment')}</Badge>}
        </p>
        <p className="truncate text-sm text-muted">
          {t(`kinds.${kind}`)}
          {provider.issuerUrl && (
            <>
              {' · '}
              <bdi>{provider.issuerUrl}</bdi>
            </>
          )}{' '}
          · {t('accounts', { count: accounts })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          icon={<FlaskConical className="size-3.5" />}
          busy={trial.isPending}
          aria-label={t('testNamed', { name })}
          onClick={tryOut}
        >
          {t('test')}
        </Button>
        <Button
          size="small"
          icon={<Pencil className="size-3.5" />}
          aria-label={t(isFixed ? 'showNamed' : 'editNamed', { name })}
          onClick={onEdit}
        >
          {t(isFixed ? 'show' : 'edit')}
        </Button>
        {!isFixed && (
          <Button
            size="small"
            tone="quiet"
            icon={<Trash2 className="size-3.5" />}
            aria-label={t('removeNamed', { name })}
            onClick={onRemove}
          >
            {t('remove')}
          </Button>
        )}
      </div>
    </li>
  )
}
