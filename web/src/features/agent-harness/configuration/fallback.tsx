import { agentHarnessRoutes, type HarnessFallback } from '@atrium/contract/agent-harness'
import { useMutation } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Field } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/agent-harness'

type Route = HarnessFallback['routes'][number]
const most = 3

/** Whom the daemon asks, one after the other, when its provider fails. */
export function FallbackForm({ fallback }: { fallback: HarnessFallback }) {
  const t = useText('agent-harness')
  const [routes, setRoutes] = useState<readonly Route[]>(fallback.routes)
  const [kept, setKept] = useState(false)
  const [isOn, setOn] = useState(fallback.enabled || fallback.routes.length === 0)
  const change = (index: number, part: Partial<Route>) =>
    setRoutes(routes.map((route, place) => (place === index ? { ...route, ...part } : route)))
  const isWhole = routes.every(({ provider, model }) => provider.trim() && model.trim())
  const save = useMutation({
    mutationFn: () =>
      call(agentHarnessRoutes.updateFallback, {
        body: { routes: [...routes], enabled: isOn && routes.length > 0, persistGlobal: kept },
      }),
    onSuccess: () => {
      toast(t('config.saved'))
      void refresh(agentHarnessRoutes.fallback)
    },
  })
  const failure = failureOf(save.error)
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isWhole) save.mutate()
      }}
    >
      {routes.length === 0 && <p className="text-muted">{t('config.noFallback')}</p>}
      {routes.map((route, index) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: a route is its place in the order
          key={index}
          className="grid gap-3 rounded-lg border border-line p-3 tab:grid-cols-[1fr_1fr_1fr_auto] tab:items-end"
        >
          <legend className="sr-only">{t('config.routeOf', { place: index + 1 })}</legend>
          <Field label={t('provider')}>
            <Input
              dir="ltr"
              maxLength={100}
              value={route.provider}
              onChange={(event) => change(index, { provider: event.target.value })}
            />
          </Field>
          <Field label={t('model')}>
            <Input
              dir="ltr"
              maxLength={200}
              value={route.model}
              onChange={(event) => change(index, { model: event.target.value })}
            />
          </Field>
          <Field label={t('config.keyVariable')}>
            <Input
              dir="ltr"
              maxLength={128}
              value={route.apiKeyEnv ?? ''}
              onChange={(event) => change(index, { apiKeyEnv: event.target.value.trim() || null })}
            />
          </Field>
          <IconButton
            icon={<X />}
            label={t('config.removeRoute', { place: index + 1 })}
            onClick={() => setRoutes(routes.filter((_, place) => place !== index))}
          />
        </fieldset>
      ))}
      {routes.length < most && (
        <Button
          size="small"
          className="self-start"
          icon={<Plus className="size-4" />}
          onClick={() => setRoutes([...routes, { provider: '', model: '', apiKeyEnv: null }])}
        >
          {t('config.addRoute')}
        </Button>
      )}
      <CheckField label={t('config.fallbackOn')} checked={isOn} onChange={setOn} />
      <CheckField label={t('config.keep')} checked={kept} onChange={setKept} />
      <Button type="submit" className="self-start" busy={save.isPending} disabled={!isWhole}>
        {t('config.apply')}
      </Button>
      {failure && <ErrorCard {...failure} />}
    </form>
  )
}
