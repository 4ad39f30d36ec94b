import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton, type IconButtonProps } from '../ui/icon-button.tsx'
import { copyText } from './clipboard.ts'
import { useText } from './texts.ts'

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
  return (
    <>
      <IconButton
        label={copied ? t('copied') : (label ?? t('copy'))}
        icon={copied ? <Check /> : <Copy />}
        size="small"
        {...rest}
        onClick={() => void copyText(typeof text === 'string' ? text : text()).then(setCopied)}
      />
      <span role="status" className="sr-only">
        {copied && t('copied')}
      </span>
    </>
  )
}
