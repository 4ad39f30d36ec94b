import type { ModelList } from '@atrium/contract/connections'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { queryClient } from '../../api/query.ts'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Skeleton, useAfter } from '../../ui/skeleton.tsx'
import { modelsQuery } from '../models.ts'
import { useText } from 'virtual:words/blocks'

/** In place of the rows while there are none: grey lines, and after ten seconds or a failure the reason. */
export function PickerPlaceholder({ query }: { query: UseQueryResult<ModelList, Error> }) {
  const [tries, setTries] = useState(0)
  return (
    <Waiting
      key={tries}
      query={query}
      onRetry={() => {
        setTries(tries + 1)
        // A first request that hangs would be waited for again.
        void queryClient.cancelQueries({ queryKey: modelsQuery.queryKey }).then(() => query.refetch())
      }}
    />
  )
}

function Waiting({ query, onRetry }: { query: UseQueryResult<ModelList, Error>; onRetry: () => void }) {
  const t = useText('blocks')
  const late = useAfter(10_000)
  if (!query.isError && !late) return <Skeleton lines={6} className="p-5" />
  return (
    <ErrorCard
      title={t('models.notLoaded')}
      details={query.error ? detailsOf(query.error) : undefined}
      onRetry={onRetry}
      className="m-3"
    >
      {query.error ? wordsOf(query.error) : t('models.slow')}
    </ErrorCard>
  )
}
