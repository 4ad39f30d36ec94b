import { addTexts } from '../lib/texts.ts'
import english from './locales/en.json'

addTexts('blocks', english)
export { useText } from '../lib/texts.ts'
