import { type UsageReport, usageRoutes } from '@atrium/contract/usage'
import { useMutation } from '@tanstack/react-query'
import { Download, X } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { saveFile } from '../../../blocks/save-file.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { Select } from '../../../ui/select.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { type FilterName, filterNames, spanDays, toQuery, type UsageSearch } from '../search.ts'
import { useText } from 'virtual:words/usage'

/** Which days, and which calls of them. */
export function Controls({
  search,
  show,
  all,
  busy,
}: {
  search: UsageSearch
  show: (change: Partial<UsageSearch>) => void
  all: UsageReport | undefined
  busy: boolean
}) {
  const t = useText('usage')
  const own = search.from !== undefined
  const [choosing, setChoosing] = useState(false)
  const [from, setFrom] = useState(search.from ?? all?.range.from ?? '')
  const [to, setTo] = useState(search.to ?? all?.range.to ?? '')
  const span = own || choosing ? 'own' : String(search.days ?? 30)
  const given = filterNames.filter((name) => search[name] !== undefined)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <SegmentedControl
          label={t('range.label')}
          value={span}
          onChange={(value) => {
            setChoosing(value === 'own')
            if (value === 'own') {
              setFrom(search.from ?? all?.range.from ?? '')
              setTo(search.to ?? all?.range.to ?? '')
            } else show({ days: value === '30' ? undefined : Number(value), from: undefined, to: undefined })
          }}
          options={[
            ...spanDays.map((days) => ({ value: String(days), label: t('range.days', { count: days }) })),
            { value: 'own', label: t('range.own') },
          ]}
        />
        {busy && <Spinner size={14} label={t('loading')} />}
        <span className="flex-1" />
        <Export search={search} />
      </div>
      {span === 'own' && (
        <form
          className="flex flex-wrap items-end gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            if (from && to && from <= to) show({ from, to, days: undefined })
          }}
        >
          <Field label={t('range.from')} className="w-40">
            <Input type="date" value={from} max={to || undefined} onChange={(event) => setFrom(event.target.value)} />
          </Field>
          <Field label={t('range.to')} className="w-40" error={from && to && from > to ? t('range.wrong') : null}>
            <Input type="date" value={to} onChange={(event) => setTo(event.target.value)} />
          </Field>
          <Button type="submit" disabled={!from || !to || from > to}>
            {t('range.show')}
          </Button>
        </form>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {choicesOf(all, search, t).map(({ name, options }) => (
          <Select
            key={name}
            aria-label={t(`filter.${name}`)}
            value={search[name] ?? ''}
            onChange={(value) => show({ [name]: value === '' ? undefined : value })}
            options={[{ value: '', label: t(`filter.all.${name}`) }, ...options]}
            className="w-44 max-tab:w-[calc(50%-0.25rem)]"
          />
        ))}
        {given.length > 0 && (
          <Button
            tone="quiet"
            size="small"
            icon={<X className="size-3.5" />}
            onClick={() => show(Object.fromEntries(given.map((name) => [name, undefined])))}
          >
            {t('filter.clear')}
          </Button>
        )}
      </div>
    </div>
  )
}

type Option = { value: string; label: string }

/** What is chosen stays in its list, whether or not these days hold it. */
function choicesOf(all: UsageReport | undefined, search: UsageSearch, t: ReturnType<typeof useText>) {
  const lists: Record<FilterName, Option[]> = {
    accountId: all?.accounts.map((row) => ({ value: row.accountId, label: row.username ?? t('table.unknown') })) ?? [],
    groupId: all?.groups.map((row) => ({ value: row.groupId, label: row.name })) ?? [],
    providerId: all?.plugins.map((row) => ({ value: row.pluginId, label: row.pluginName })) ?? [],
    model: [...new Set(all?.models.map((row) => row.model))].map((model) => ({ value: model, label: model })),
    capability:
      all?.capabilities.map((row) => ({ value: row.capability, label: t(`capability.${row.capability}`) })) ?? [],
    status: (['success', 'error', 'cancelled'] as const).map((value) => ({ value, label: t(`status.${value}`) })),
  }
  // Without groups there is nothing to choose.
  const shown = filterNames.filter((name) => name !== 'groupId' || lists.groupId.length > 0 || search.groupId)
  return shown.map((name) => {
    const chosen = search[name]
    const known = lists[name].some((option) => option.value === chosen)
    return {
      name,
      options: chosen === undefined || known ? lists[name] : [{ value: chosen, label: chosen }, ...lists[name]],
    }
  })
}

function Export({ search }: { search: UsageSearch }) {
  const t = useText('usage')
  const save = useMutation({
    mutationFn: async (rows: 'days' | 'calls') => {
      const file = await call(usageRoutes.export, { query: { ...toQuery(search), rows } })
      saveFile(`usage-${rows}.csv`, file, file.type)
    },
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  return (
    <Menu
      align="end"
      trigger={
        <Button busy={save.isPending} icon={<Download className="size-4" />}>
          {t('export.title')}
        </Button>
      }
    >
      <MenuItem onSelect={() => save.mutate('days')}>{t('export.days')}</MenuItem>
      <MenuItem onSelect={() => save.mutate('calls')}>{t('export.calls')}</MenuItem>
    </Menu>
  )
}
