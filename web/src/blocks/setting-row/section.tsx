import type { ReactNode } from 'react'
import { Group } from './row.tsx'

/** One part of the page; `id` is its entry in the registry, where the address `#id` leads. */
export function Section({
  id,
  title,
  text,
  children,
}: {
  id: string
  title: string
  text: string
  children: ReactNode
}) {
  return (
    <section id={id} className="-mx-3 mt-9 rounded-lg px-3 first:mt-0">
      <Group title={title} text={text}>
        {children}
      </Group>
    </section>
  )
}
