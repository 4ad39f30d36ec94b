import { Search } from 'lucide-react'
import { Input } from '../../../ui/input.tsx'
import { useText } from 'virtual:words/groups'

/** Finds somebody among those that a window lists. */
export function SearchMembers({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useText('groups')
  return (
    <Input
      type="search"
      aria-label={t('search')}
      placeholder={t('search')}
      icon={<Search />}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      autoFocus
    />
  )
}
