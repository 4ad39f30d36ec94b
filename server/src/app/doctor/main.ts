/** `npm run doctor`: looks at a running instance, or at what one would start with. Exits with 0, 1 or 2. */
import { readConfig } from '../config.ts'
import { runDoctor } from './run.ts'

process.exitCode = await runDoctor(process.argv.slice(2), readConfig, (text) => console.log(text))
