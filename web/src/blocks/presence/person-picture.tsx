import { Monogram } from '../../ui/monogram.tsx'
import { PresenceMark } from './mark.tsx'

/** A person's picture with whether they are there. */
export function PersonPicture({
  userId,
  name,
  picture,
  className,
  says,
  large,
}: {
  userId: string
  name: string
  picture: string | null
  className?: string
  says?: boolean
  large?: boolean
}) {
  return (
    <span className="relative inline-grid shrink-0">
      <Monogram name={name} picture={picture} {...(className ? { className } : {})} />
      <PresenceMark userId={userId} says={says ?? false} large={large ?? false} />
    </span>
  )
}
