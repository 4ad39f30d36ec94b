import { addTexts } from '../../lib/texts.ts'
import english from './locales/en.json' with { type: 'json' }

addTexts('scim', english)
export { useText } from '../../lib/texts.ts'
