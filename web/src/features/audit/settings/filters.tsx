import { auditRoutes } from '@atrium/contract/audit'
import { toRequest } from '@atrium/contract/request'
import { Download, Search, X } from 'lucide-react'
import { saveFrom } from '../../../blocks/save-file.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { Select } from '../../../ui/select.tsx'
import { type AuditFilter, type ActionKind, actionKinds, timeSpans, type toQuery } from './filter.ts'
import { useText } from 'virtual:words/audit'

const kindChoices: AuditFilter['kind'][] = ['all', ...(Object.keys(actionKinds) as ActionKind[])]
const resultChoices: AuditFilter['result'][] = ['all', 'success', 'denied', 'failure']

/** Which part of the audit is shown, and the same as a file. */
export function Filters({
  choice,
  query,
  onChange,
}: {
  choice: AuditFilter
  query: ReturnType<typeof toQuery>
  onChange: (choice: AuditFilter) => void
}) {
  const t = useText('audit')
  const change = (part: Partial<AuditFilter>) => onChange({ ...choice, ...part })
  const options = <V extends string>(group: string, values: readonly V[]) =>
    values.map((value) => ({ value, label: t(`${group}.${value}`) }))
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Field label={t('textLabel')} className="w-full">
        <Input
          type="search"
          icon={<Search />}
          value={choice.text}
          maxLength={200}
          placeholder={t('textHint')}
          onChange={(event) => change({ text: event.target.value })}
        />
      </Field>
      <Field label={t('kindLabel')}>
        <Select value={choice.kind} onChange={(kind) => change({ kind })} options={options('kind', kindChoices)} />
      </Field>
      <Field label={t('resultLabel')}>
        <Select
          value={choice.result}
          onChange={(result) => change({ result })}
          options={options('result', resultChoices)}
        />
      </Field>
      <Field label={t('spanLabel')}>
        <Select
          value={choice.span}
          onChange={(span) => change({ span })}
          options={options('span', Object.keys(timeSpans) as (keyof typeof timeSpans)[])}
        />
      </Field>
      {choice.actor && (
        <Button icon={<X className="size-4" />} onClick={() => change({ actor: null })}>
          {t('onlyActor', { name: choice.actor.name })}
        </Button>
      )}
      <span className="flex-1" />
      <Menu trigger={<Button icon={<Download className="size-4" />}>{t('export')}</Button>}>
        {(['jsonl', 'csv'] as const).map((format) => (
          <MenuItem
            key={format}
            onSelect={() => saveFrom(toRequest(auditRoutes.export, { query: { ...query, format } }).path)}
          >
            {t(`format.${format}`)}
          </MenuItem>
        ))}
      </Menu>
    </div>
  )
}
