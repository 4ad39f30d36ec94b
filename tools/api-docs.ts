/** `npm run api-docs`: writes the interface as an OpenAPI document to `docs/openapi.json`. */
import { writeFileSync } from 'node:fs'
import { interfaceDocument } from '../server/src/app/interface.ts'

const file = new URL('../docs/openapi.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(interfaceDocument(), null, 2)}\n`)
