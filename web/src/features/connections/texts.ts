import { addTexts } from '../../lib/texts.ts'
import '../../blocks/connect/texts.ts'
import '../../blocks/texts.ts'
import english from './locales/en.json' with { type: 'json' }

addTexts('connections', english)
export { useText } from '../../lib/texts.ts'
