import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '../lib/copy.ts'
import { IconButton, type IconButtonProps } from '../ui/icon-button.tsx'
import { toast } from '../ui/toaster.tsx'
import { useText } from 'virtual:words/blocks'

/** Copies a text and says for two seconds that it did. */
export function CopyButton({
  text,
  label,
  ...rest
}: { text: string | (() => string); label?: string } & Omit<IconButtonProps, 'label' | 'icon' | 'onClick'>) {
  const t = useText('blocks')
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const refused = () => toast(t('copyRefused'), { tone: 'danger' })
  return (
    <>
      <IconButton
        label={copied ? t('copied') : (label ?? t('copy'))}
        icon={copied ? <Check /> : <Copy />}
        size="small"
        {...rest}
        onClick={() => void copyText(typeof text === 'string' ? text : text()).then(() => setCopied(true), refused)}
      />
      <span role="status" className="sr-only">
        {copied && t('copied')}
      </span>
    </>
  )
}
