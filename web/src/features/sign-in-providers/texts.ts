import { addTexts } from '../../lib/texts.ts'
import english from './locales/en.json' with { type: 'json' }

addTexts('sign-in-providers', english)
export { useText } from '../../lib/texts.ts'
