import { systemDiagnosticsRoutes } from '@atrium/contract/system-diagnostics'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { saveFile } from '../../../blocks/save-file.ts'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/section.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/system-diagnostics'

const parts = ['state', 'checks', 'configuration', 'log'] as const

/** What is in a support bundle, and the way to it. */
export function SupportBundle() {
  const t = useText('system-diagnostics')
  const save = useMutation({
    mutationFn: () => call(systemDiagnosticsRoutes.bundle, {}),
    onSuccess: (file) =>
      saveFile(`atrium-support-${new Date().toISOString().slice(0, 10)}.zip`, file, 'application/zip'),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  return (
    <Section title={t('bundle.title')}>
      <div className="rounded-lg border border-line bg-raised px-3.5 py-3 text-sm">
        <p>{t('bundle.about')}</p>
        <ul className="mt-2 list-disc space-y-1 ps-5">
          {parts.map((part) => (
            <li key={part}>{t(`bundle.part.${part}`)}</li>
          ))}
        </ul>
        <p className="mt-2 text-muted">{t('bundle.without')}</p>
        <Button
          className="mt-3"
          icon={<Download className="size-4" />}
          busy={save.isPending}
          onClick={() => save.mutate()}
        >
          {t('bundle.save')}
        </Button>
      </div>
    </Section>
  )
}
