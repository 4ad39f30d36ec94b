import { useState } from 'react'
import { classNames } from '../lib/class-names.ts'

/**
 * The first letter of a name on a colour that follows from the name, so that it is known again. A person
 * may have a picture over it.
 */
export function Monogram({
  name,
  picture,
  className = 'size-7 text-xs',
}: {
  name: string
  /** Its address; the letter stays where it cannot be had. */
  picture?: string | null
  className?: string
}) {
  const hue = hueOf(name)
  const [failed, setFailed] = useState<string | null>(null)
  return (
    <span
      aria-hidden
      className={classNames(
        'relative grid shrink-0 place-items-center overflow-hidden rounded-full font-semibold select-none',
        className,
      )}
      style={{
        backgroundColor: `oklch(var(--monogram) 0.055 ${hue})`,
        color: `oklch(var(--monogram-ink) 0.085 ${hue})`,
      }}
    >
      {initialOf(name)}
      {picture && picture !== failed && (
        <img
          src={picture}
          alt=""
          draggable={false}
          className="absolute inset-0 size-full object-cover"
          onError={() => setFailed(picture)}
        />
      )}
    </span>
  )
}

/** FNV-1a over the characters, as degrees. */
function hueOf(name: string): number {
  let hash = 0x811c9dc5
  for (const character of name.toLowerCase()) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0) % 360
}

/** The first letter as people see it, also where it is written with several code points. */
function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim())
  return first?.segment.toLocaleUpperCase() ?? '?'
}
