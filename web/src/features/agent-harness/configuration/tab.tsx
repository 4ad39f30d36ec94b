import { agentHarnessRoutes, harnessThemes } from '@atrium/contract/agent-harness'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Button } from '../../../ui/button.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { Field } from '../../../ui/field.tsx'
import { Section } from '../../../ui/section.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useLastKnown, useStatus } from '../connection.tsx'
import { FallbackForm } from './fallback.tsx'
import { ModelForm } from './model.tsx'
import { useText } from 'virtual:words/agent-harness'

/** Model, fallback and theme of the daemon, and whether there is a bridge to it. */
export function ConfigurationTab() {
  const t = useText('agent-harness')
  const model = useQuery(queryOf(agentHarnessRoutes.model))
  const fallback = useQuery(queryOf(agentHarnessRoutes.fallback))
  const known = useLastKnown()
  return (
    <div className="max-w-2xl">
      <Section title={t('model')} text={t('config.modelText')}>
        <QueryView query={{ ...model, data: model.data ?? known?.model ?? undefined }}>
          {(data) => <ModelForm key={JSON.stringify(data)} model={data} />}
        </QueryView>
      </Section>
      <Section title={t('config.fallback')} text={t('config.fallbackText')}>
        <QueryView query={{ ...fallback, data: fallback.data ?? known?.fallback ?? undefined }}>
          {(data) => <FallbackForm key={JSON.stringify(data)} fallback={data} />}
        </QueryView>
      </Section>
      <ThemePart />
      <BridgePart />
    </div>
  )
}

function ThemePart() {
  const t = useText('agent-harness')
  const [theme, setTheme] = useState<(typeof harnessThemes)[number]>('lobster')
  const save = useMutation({
    mutationFn: () => call(agentHarnessRoutes.updateTheme, { body: { theme } }),
    onSuccess: ({ label }) => toast(t('config.themeSaved', { name: label || theme })),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  return (
    <Section title={t('config.theme')} text={t('config.themeText')}>
      <div className="flex flex-wrap items-end gap-3">
        <Field label={t('config.theme')} hideLabel>
          <Select
            dir="ltr"
            value={theme}
            onChange={setTheme}
            options={harnessThemes.map((value) => ({ value, label: value }))}
          />
        </Field>
        <Button busy={save.isPending} onClick={() => save.mutate()}>
          {t('config.apply')}
        </Button>
      </div>
    </Section>
  )
}

function BridgePart() {
  const t = useText('agent-harness')
  const status = useStatus().data
  const access = useQuery(queryOf(agentHarnessRoutes.access))
  const change = useMutation({
    mutationFn: (enabled: boolean) => call(agentHarnessRoutes.updateAccess, { body: { enabled } }),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: async () => {
      await refresh(agentHarnessRoutes.access)
      await refresh(agentHarnessRoutes.status)
    },
  })
  return (
    <Section title={t('config.bridge')} text={status && t('config.address', { address: status.baseUrl })}>
      <QueryView query={access}>
        {({ enabled }) => (
          <CheckField
            label={t('config.enabled')}
            hint={t('config.enabledText')}
            checked={change.isPending ? change.variables : enabled}
            onChange={(on) => change.mutate(on)}
          />
        )}
      </QueryView>
      {status && (
        <p className="mt-3">
          <a
            href={status.dashboardUrl}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1.5 text-accent-ink hover:underline"
          >
            {t('config.dashboard')}
            <ExternalLink aria-hidden className="size-3.5" />
          </a>
          <span className="block text-sm text-muted">{t('config.dashboardText')}</span>
        </p>
      )}
    </Section>
  )
}
