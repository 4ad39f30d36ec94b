/** Where the container engine is. Nothing but the environment says it: who may name a socket is the operator's alone. */
import { z } from 'zod'
import { declareVariables } from '../../platform/settings/index.ts'

/** Any text is taken, as other programs read these variables, too: what is not understood is told in the report. */
const text = z.string().trim()

export const diagnosticsSettings = declareVariables({
  WORK_DOCKER_SOCKET: [
    text,
    'the container engine’s socket; administrators see its state on the System page',
    { usual: '`DOCKER_HOST`, else the usual sockets of Docker and Podman' },
  ],
  DOCKER_HOST: [text, 'the same, as `unix://…` or plain `tcp://…`, if `WORK_DOCKER_SOCKET` is unset'],
  DOCKER_TLS_VERIFY: [text, 'if set, `DOCKER_HOST` expects TLS, which the System page doesn’t support'],
})
