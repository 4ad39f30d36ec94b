import { addTexts } from '../../../lib/texts.ts'
import english from './locales/en.json' with { type: 'json' }

addTexts('accounts-encryption-key', english)
export { useText } from '../../../lib/texts.ts'
