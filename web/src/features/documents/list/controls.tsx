import { Search, X } from 'lucide-react'
import type { RefObject } from 'react'
import { useSearchWords } from '../../../blocks/search-words.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { type DocumentsSearch, sortNames, statuses } from '../search.ts'
import { useText } from 'virtual:words/documents'
import type { Sort } from './sort.ts'

/** Looking for a name, one state only, and on phones the order. */
export function Controls({
  search,
  show,
  field,
  phone,
}: {
  search: DocumentsSearch
  show: (change: Partial<DocumentsSearch>) => void
  field: RefObject<HTMLInputElement | null>
  phone: boolean
}) {
  const t = useText('documents')
  const [words, setWords] = useSearchWords(search.q ?? '', (q) => show({ q: q || undefined }))
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Input
        ref={field}
        type="search"
        icon={<Search />}
        aria-label={t('find')}
        placeholder={t('find')}
        value={words}
        maxLength={200}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !words) return
          event.stopPropagation()
          setWords('')
        }}
        className="max-w-96 min-w-44 flex-1 max-tab:w-full max-tab:max-w-none max-tab:flex-none [&_input]:[&::-webkit-search-cancel-button]:hidden"
        end={
          words && (
            <IconButton label={t('clear')} icon={<X />} size="small" tooltipSide="none" onClick={() => setWords('')} />
          )
        }
      />
      <Select
        aria-label={t('filter.label')}
        value={search.status ?? ''}
        onChange={(value) => show({ status: (value || undefined) as DocumentsSearch['status'] })}
        options={[
          { value: '', label: t('filter.all') },
          ...statuses.map((status) => ({ value: status, label: t(`filter.${status}`) })),
        ]}
        className="w-40 max-tab:w-auto max-tab:flex-1 max-tab:[&_select]:w-full"
      />
      {phone && (
        <Select
          aria-label={t('sort.label')}
          value={search.sort ?? ''}
          onChange={(value) => show({ sort: (value || undefined) as Sort | undefined })}
          options={[
            { value: '', label: t('sort.newest') },
            ...sortNames.map((name) => ({
              value: name === 'name' || name === 'type' ? name : `-${name}`,
              label: t(`column.${name}`),
            })),
          ]}
          className="flex-1 [&_select]:w-full"
        />
      )}
    </div>
  )
}
