import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Download, FileUp, UserPlus, UserRoundSearch } from 'lucide-react'
import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { pagesOf } from '../../../../api/pages.ts'
import { MoreButton } from '../../../../blocks/more-button.tsx'
import { Button } from '../../../../ui/button.tsx'
import { IconButton } from '../../../../ui/icon-button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Group } from '../../../../blocks/setting-row/row.tsx'
import { QueryView } from '../../../../blocks/setting-row/query-view.tsx'
import { AddPerson } from '../add.tsx'
import { useText } from 'virtual:words/user-administration'
import { BulkBar } from './bulk.tsx'
import { Filters, type PeopleFilters, noFilters, queryFor } from './filters.tsx'
import { PeopleTable } from './table.tsx'

const ImportPeople = lazy(() =>
  import('../../import/import-people.tsx').then((module) => ({ default: module.ImportPeople })),
)

/** Has the browser save the list, as it is narrowed down. */
function downloadPeople(query: Readonly<Record<string, string>>): void {
  const anchor = document.createElement('a')
  anchor.href = `${userAdministrationRoutes.exportPeople.path}?${new URLSearchParams(query).toString()}`
  anchor.download = 'people.csv'
  anchor.click()
}

/** Everybody who has an account: found, narrowed down, and handled one by one or many at a time. */
export function Accounts() {
  const t = useText('user-administration')
  const [wanted, setWanted] = useState<PeopleFilters>(noFilters)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [adding, setAdding] = useState(false)
  const [importing, setImporting] = useState(false)
  const query = queryFor(useDeferredValue(wanted))
  const pages = useInfiniteQuery({
    ...pagesOf(userAdministrationRoutes.list, { query: { limit: 50, ...query } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const people = pages.data ?? []
  const isNarrowed = Object.keys(query).some((name) => name !== 'sort')
  const shown = people.filter(({ id }) => chosen.has(id))
  return (
    <section id="accounts" className="-mx-3 mt-8 rounded-lg px-3">
      <Group title={t('accounts.title')} text={t('accounts.text')}>
        <Filters
          wanted={wanted}
          onChange={setWanted}
          action={
            <>
              <Button tone="primary" icon={<UserPlus className="size-4" />} onClick={() => setAdding(true)}>
                {t('add.open')}
              </Button>
              <IconButton label={t('import')} icon={<FileUp />} onClick={() => setImporting(true)} />
              <IconButton label={t('export')} icon={<Download />} onClick={() => downloadPeople(query)} />
            </>
          }
        />
        <BulkBar chosen={shown} onDone={() => setChosen(new Set())} />
        <QueryView query={pages} lines={5}>
          {() =>
            people.length === 0 ? (
              <EmptyState icon={<UserRoundSearch />} title={t('accounts.none')}>
                {isNarrowed && t('accounts.noneText')}
              </EmptyState>
            ) : (
              <PeopleTable people={people} chosen={chosen} onChosen={setChosen} />
            )
          }
        </QueryView>
        <MoreButton pages={pages} className="mt-3" />
      </Group>
      {importing && (
        <Suspense fallback={null}>
          <ImportPeople onClose={() => setImporting(false)} />
        </Suspense>
      )}
      {adding && <AddPerson onClose={() => setAdding(false)} />}
    </section>
  )
}
