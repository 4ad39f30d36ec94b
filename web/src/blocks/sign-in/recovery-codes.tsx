import { Copy, Download, Printer, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { copyText } from '../../lib/copy.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { toast } from '../../ui/toaster.tsx'
import { saveFile } from '../save-file.ts'
import { useText } from 'virtual:words/sign-in'

/** Ten recovery codes, this once; `onStored` tells whether they were kept elsewhere. */
export function RecoveryCodeList({
  codes,
  stored,
  onStored,
}: {
  codes: readonly string[]
  stored: boolean
  onStored: (stored: boolean) => void
}) {
  const t = useText('sign-in')
  const [copied, setCopied] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  // Codes come by themselves with the sixth digit: an Enter after it would press the first button.
  useEffect(() => list.current?.focus(), [])
  const text = [t('recovery.fileTitle', { host: location.host }), '', ...codes, ''].join('\n')
  const copy = () =>
    void copyText(text).then(
      () => setCopied(true),
      () => toast(t('recovery.copyRefused'), { tone: 'danger' }),
    )
  return (
    <div className="flex flex-col gap-3">
      <p className="flex items-start gap-1.5 text-sm text-warn-ink">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        {t('recovery.once')}
      </p>
      <div data-print>
        <p className="mb-3 hidden print:block">{t('recovery.fileTitle', { host: location.host })}</p>
        <ol
          ref={list}
          tabIndex={-1}
          aria-label={t('recovery.list')}
          className="grid grid-cols-2 gap-x-4 gap-y-1 rounded-md border border-line bg-sunken px-4 outline-none py-3 text-center font-mono text-base"
        >
          {codes.map((code) => (
            <li key={code} dir="ltr" className="select-all">
              {code}
            </li>
          ))}
        </ol>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="small" icon={<Copy className="size-3.5" />} onClick={copy}>
          {copied ? t('recovery.copied') : t('recovery.copy')}
        </Button>
        <Button
          size="small"
          icon={<Download className="size-3.5" />}
          onClick={() => saveFile('atrium-recovery-codes.txt', text)}
        >
          {t('recovery.download')}
        </Button>
        <Button size="small" icon={<Printer className="size-3.5" />} onClick={() => print()}>
          {t('recovery.print')}
        </Button>
      </div>
      <CheckField label={t('recovery.stored')} checked={stored} onChange={onStored} />
    </div>
  )
}
