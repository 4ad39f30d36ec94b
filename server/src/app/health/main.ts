/** `node server/dist/health.js [ready|live]`: exits with 0 where the server of this machine is well, else with 1. */
import { createVariableReader } from '../../platform/settings/index.ts'
import { localAddress } from '../local-address.ts'
import { processVariables } from '../process-variables.ts'
import { askHealth } from './ask.ts'

const readVariable = createVariableReader(process.env)
const address = () =>
  localAddress({
    host: readVariable(processVariables.HOST) ?? '127.0.0.1',
    port: readVariable(processVariables.PORT) ?? 3001,
  })

process.exitCode = await askHealth(process.argv.slice(2), address, (text) => console.log(text))
