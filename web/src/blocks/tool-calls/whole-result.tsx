import { toRequest } from '@atrium/contract/request'
import { toolsRoutes } from '@atrium/contract/tools'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { useText } from 'virtual:words/tool-calls'
import { saveFrom } from '../save-file.ts'
import { ContentView } from './content-view.tsx'

/** A result whose beginning is `text`: all of it on demand, page by page, or as a file. */
export function WholeResult({ recordId, text, characters }: { recordId: string; text: string; characters: number }) {
  const t = useText('tool-calls')
  const params = { recordId }
  const whole = useMutation({
    mutationFn: async () => await (await call(toolsRoutes.callResult, { params })).text(),
  })
  return (
    <>
      <ContentView title={t('result')} text={whole.data ?? text} copy={t('copyResult')} />
      <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
        {whole.data === undefined && (
          <>
            <span>{t('cut', { shown: formatNumber(text.length), all: formatNumber(characters) })}</span>
            <Button size="small" busy={whole.isPending} onClick={() => whole.mutate()}>
              {t('showAll')}
            </Button>
          </>
        )}
        <Button
          size="small"
          icon={<Download className="size-3.5" />}
          onClick={() => saveFrom(toRequest(toolsRoutes.callResult, { params }).path, 'result.txt')}
        >
          {t('save')}
        </Button>
      </div>
      {whole.error && (
        <p role="alert" className="text-danger-ink">
          {wordsOf(whole.error)}
        </p>
      )}
    </>
  )
}
