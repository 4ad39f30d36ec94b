/** `node e2e/provider/main.ts [port]`: the model server by itself, on 11435 unless told otherwise. */
import { startProvider } from './provider.ts'

const provider = await startProvider({ port: Number(process.argv[2] ?? process.env['PORT'] ?? 11_435) })
console.log(
  `A model server for trials answers at ${provider.url} (local runtime) and ${provider.url}/v1 (chat completions, responses, messages).`,
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void provider.close())
