import { addTexts } from '../../../lib/texts.ts'
import english from './locales/en.json' with { type: 'json' }

addTexts('shared', english)
export { text, useText } from '../../../lib/texts.ts'
