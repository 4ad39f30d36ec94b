import { addTexts } from '../../../lib/texts.ts'
import english from './locales/en.json' with { type: 'json' }

addTexts('sign-in-providers-ldap', english)
export { useText } from '../../../lib/texts.ts'
