import { classNames } from '../../lib/class-names.ts'
import { useText } from 'virtual:words/artifact'

/** The content as it is written, to be changed where `onChange` is given. */
export function CodeView({
  title,
  text,
  onChange,
  onSave,
}: {
  title: string
  text: string
  onChange: ((text: string) => void) | null
  onSave: () => void
}) {
  const t = useText('artifact')
  return (
    <textarea
      dir="ltr"
      spellCheck={false}
      autoCapitalize="off"
      aria-label={t('content', { title })}
      placeholder={onChange ? t('empty') : undefined}
      readOnly={!onChange}
      value={text}
      onChange={(event) => onChange?.(event.target.value)}
      onKeyDown={(event) => {
        if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
        event.preventDefault()
        onSave()
      }}
      className={classNames(
        'min-h-0 w-full flex-1 resize-none overflow-auto bg-sunken px-4 py-3 font-mono text-sm leading-relaxed',
        'whitespace-pre -outline-offset-2',
      )}
    />
  )
}
