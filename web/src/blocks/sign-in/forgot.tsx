import { Link } from '@tanstack/react-router'
import { links } from '../../lib/links.ts'
import { useText } from 'virtual:words/sign-in'

/** The way out for those who do not know their password; below it, so that Tab leads from the name to the password. */
export function Forgot() {
  const t = useText('sign-in')
  return (
    <p className="text-center text-sm">
      <Link to={links.forgot()} className="font-medium text-accent-ink underline underline-offset-2">
        {t('forgot')}
      </Link>
    </p>
  )
}
