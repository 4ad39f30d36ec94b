import { Section } from './section.tsx'
import { useText } from './texts.ts'

/** Others who tell who somebody is: GitHub, Hugging Face, and every OpenID provider. */
export function Providers() {
  const t = useText('settings-sign-in')
  return (
    <Section id="providers" title={t('providers')} text={t('providersText')}>
      <p className="py-3 text-sm text-muted">{t('none')}</p>
    </Section>
  )
}
