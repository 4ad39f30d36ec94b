import { Link } from '@tanstack/react-router'
import { Tag as TagIcon } from 'lucide-react'
import { classNames } from '../../../lib/class-names.ts'
import { links } from '../../../lib/links.ts'
import { Badge } from '../../../ui/badge.tsx'

/** Tags in a row, each leading to all chats that have it. */
export function TagLinks({ names, label }: { names: readonly string[]; label: string }) {
  return (
    <ul aria-label={label} className="flex flex-wrap gap-1.5">
      {names.map((name) => (
        <li key={name} className="max-w-full min-w-0">
          <Link to={links.tags(name)} className={tagClasses}>
            <TagIcon aria-hidden className="size-3.5 shrink-0 text-muted" />
            <bdi className="truncate">{name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** The same to be read only. */
export function TagBadges({ names, className }: { names: readonly string[]; className?: string }) {
  return (
    <span className={classNames('flex flex-wrap gap-1', className)}>
      {names.map((name) => (
        <Badge key={name} icon={<TagIcon aria-hidden />} className="max-w-full">
          <bdi className="truncate">{name}</bdi>
        </Badge>
      ))}
    </span>
  )
}

export const tagClasses =
  'flex h-control-small max-w-full items-center gap-1.5 rounded-md border border-line bg-raised px-2 text-sm hover:bg-hover aria-[current]:border-accent-line aria-[current]:bg-accent-soft pointer-coarse:h-control'
