import { documentsRoutes } from '@atrium/contract/documents'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { BuiltInState } from '../../../blocks/built-in-state/built-in-state.tsx'
import { formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { FilePicker } from '../../../ui/file-picker.tsx'
import { useText } from 'virtual:words/documents-settings'

/** Administrators try the reader with an image of their own; nothing of it is kept. */
export function BuiltInReader() {
  const t = useText('documents-settings')
  const picker = useRef<HTMLInputElement>(null)
  const { data: state } = useQuery({ ...queryOf(documentsRoutes.readerState), refetchInterval: 5000 })
  const reading = useMutation({
    mutationFn: (file: File) => call(documentsRoutes.tryReader, { file }),
    onSettled: () => refresh(documentsRoutes.readerState),
  })
  const print = reading.data
  return (
    <div id="builtInReader" className="-mx-3 rounded-lg px-3 py-3">
      <div className="mb-3">
        <BuiltInState of={state} />
      </div>
      <FilePicker
        picker={picker}
        accept="image/png,image/jpeg,image/webp,image/gif"
        single
        onFiles={([file]) => file && reading.mutate(file)}
      />
      <Button busy={reading.isPending} onClick={() => picker.current?.click()}>
        {t('reader.try')}
      </Button>
      <div role="status" className="mt-3 text-sm">
        {reading.isError && <p className="text-danger-ink">{wordsOf(reading.error)}</p>}
        {print?.text === '' && <p className="text-muted">{t('reader.nothing')}</p>}
        {print?.language && (
          <>
            <p className="text-muted">
              {t(`reader.language.${print.language}`)} ·{' '}
              {t('reader.confidence', { share: formatNumber(print.confidence, { style: 'percent' }) })}
            </p>
            <p
              dir="auto"
              className="mt-2 max-h-80 overflow-y-auto rounded-lg border border-line p-3 whitespace-pre-wrap"
              tabIndex={0}
            >
              {print.text}
            </p>
          </>
        )}
      </div>
    </div>
  )
}
