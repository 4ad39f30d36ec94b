import { TriangleAlert } from 'lucide-react'
import { useText } from 'virtual:words/settings'

/** Settings, of whatever page, whose saved value cannot be read. */
export function UnreadableSettings({ names }: { names: readonly string[] }) {
  const t = useText('settings')
  if (names.length === 0) return null
  const told = names.map((name) => t(`instance.unreadable.names.${name}`, { defaultValue: name }))
  return (
    <div role="status" className="mb-3 flex items-start gap-2.5 rounded-lg border border-line bg-warn-soft px-3.5 py-3">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn-ink" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{t('instance.unreadable.title')}</p>
        <p className="mt-0.5 text-sm">
          {t('instance.unreadable.text', { names: told.join(t('instance.unreadable.comma')) })}
        </p>
      </div>
    </div>
  )
}
