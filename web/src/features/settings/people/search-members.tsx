import { Search } from 'lucide-react'
import { Input } from '../../../ui/input.tsx'
import { useText } from './texts.ts'

/** Finds somebody among those that a window lists. */
export function SearchMembers({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useText('people')
  return (
    <Input
      type="search"
      aria-label={t('group.search')}
      placeholder={t('group.search')}
      icon={<Search />}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      autoFocus
    />
  )
}
