import { connectionsRoutes, type Plugin, type VariableValues } from '@atrium/contract/connections'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useIsAdmin } from '../../../api/account.ts'
import { call } from '../../../api/client.ts'
import { codeOf, detailsOf, wordsOf } from '../../../api/errors.ts'
import { keyOf, queryClient } from '../../../api/query.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Field } from '../../../ui/field.tsx'
import { VariableControl } from './control.tsx'
import { changesOf, shownValue } from './rules.ts'
import { refreshAll } from './state.ts'
import { useText } from 'virtual:words/connections'
import { variableWords } from './variable-words.ts'

/** Where calls of a connection go: one value of each for the instance, which administrators set and others read. */
export function RouteFields({ plugin, values }: { plugin: Plugin; values: VariableValues }) {
  const t = useText('connections')
  const admin = useIsAdmin()
  const variables = (plugin.variables ?? []).filter(({ name }) => values[name]?.isConnection)
  if (variables.length === 0) return <p className="py-3 text-muted">{t('route.none')}</p>
  if (admin) return <RouteForm plugin={plugin} values={values} variables={variables} />
  return (
    <dl className="mt-2 divide-y divide-line border-y border-line">
      {variables.map((variable) => (
        <div key={variable.name} className="flex flex-wrap gap-x-6 gap-y-0.5 py-2.5">
          <dt dir="auto" className="w-44 text-muted">
            {variableWords(t, plugin, variable).label}
          </dt>
          <dd dir="ltr" className="min-w-0 flex-1 text-start break-words">
            {shownValue(values[variable.name]) || '—'}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function RouteForm({
  plugin,
  values,
  variables,
}: {
  plugin: Plugin
  values: VariableValues
  variables: NonNullable<Plugin['variables']>
}) {
  const t = useText('connections')
  const [typed, setTyped] = useState<Record<string, string>>({})
  const changes = changesOf(variables, values, typed)
  const save = useMutation({
    mutationFn: (body: { variables: typeof changes.variables; unset: string[]; allowPrivate?: boolean }) =>
      call(connectionsRoutes.saveVariables, { params: { id: plugin.id }, body }),
    onSuccess: (next) => {
      queryClient.setQueryData(keyOf(connectionsRoutes.variables, { params: { id: plugin.id } }), next)
      setTyped({})
      return refreshAll()
    },
  })
  const isPrivate = save.isError && codeOf(save.error) === 'url_not_allowed' && !save.variables?.allowPrivate
  const dirty = changes.wrong.length + changes.unset.length + Object.keys(changes.variables).length > 0
  const send = (more: { allowPrivate?: boolean } = {}) =>
    save.mutate({ variables: changes.variables, unset: changes.unset, ...more })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (changes.wrong.length === 0) send()
  }
  return (
    <form onSubmit={submit} className="mt-3 grid gap-4 tab:grid-cols-2">
      {variables.map((variable) => {
        const value = values[variable.name]
        const { label, help } = variableWords(t, plugin, variable)
        const fallback = variable.default === undefined || variable.default === null ? '' : String(variable.default)
        return (
          <Field
            key={variable.name}
            label={<bdi>{label}</bdi>}
            hint={
              <>
                <bdi>{help}</bdi> {value?.hasValue ? t('fields.byAdmin') : fallback && t('fields.byDefinition')}
              </>
            }
            error={changes.wrong.includes(variable.name) && t('fields.wrong')}
            action={
              value?.hasValue && (
                <button
                  type="button"
                  className="text-accent-ink underline underline-offset-2"
                  aria-label={t('fields.resetNamed', { name: label })}
                  onClick={() => save.mutate({ variables: {}, unset: [variable.name] })}
                >
                  {t('fields.reset')}
                </button>
              )
            }
          >
            <VariableControl
              variable={variable}
              sensitive={value?.isSensitive}
              value={typed[variable.name] ?? shownValue(value)}
              placeholder={fallback}
              onChange={(text) => setTyped({ ...typed, [variable.name]: text })}
            />
          </Field>
        )
      })}
      {isPrivate && (
        <div role="alert" className="rounded-lg border border-line bg-warn-soft px-3.5 py-3 tab:col-span-2">
          <p className="font-medium">{t('connect:privateTitle')}</p>
          <p className="mt-0.5 text-sm">{t('route.privateText')}</p>
          <Button size="small" className="mt-2.5" busy={save.isPending} onClick={() => send({ allowPrivate: true })}>
            {t('route.privateAllow')}
          </Button>
        </div>
      )}
      {save.isError && !isPrivate && (
        <ErrorCard title={t('notSaved')} details={detailsOf(save.error)} className="tab:col-span-2">
          {wordsOf(save.error)}
        </ErrorCard>
      )}
      <div className="flex flex-wrap items-center gap-3 tab:col-span-2">
        <Button type="submit" tone="primary" busy={save.isPending} disabled={!dirty || changes.wrong.length > 0}>
          {t('route.save')}
        </Button>
        <p aria-live="polite" className="min-w-0 flex-1 text-sm text-muted">
          {save.isSuccess && !dirty ? t('route.saved') : dirty ? t('route.warning') : ''}
        </p>
      </div>
    </form>
  )
}
