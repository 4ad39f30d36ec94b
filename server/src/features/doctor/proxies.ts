/** What to write into the configuration of the usual proxies, for each thing that goes wrong on the way through one. */
import type { DoctorFix } from '@atrium/contract/doctor'

type Proxy = 'nginx' | 'Caddy' | 'Apache' | 'HAProxy' | 'Traefik'
type Fixes = Readonly<Partial<Record<Proxy, string>>>

const fixesOf = (lines: Fixes): DoctorFix[] =>
  Object.entries(lines).map(([program, text]) => ({ program: program as Proxy, lines: text }))

export const proxyFixes = {
  buffering: fixesOf({
    nginx: 'proxy_buffering off;\nproxy_cache off;\ngzip off;',
    Caddy: 'reverse_proxy 127.0.0.1:3001 {\n  flush_interval -1\n}',
    Apache: 'ProxyPass / http://127.0.0.1:3001/ flushpackets=on\nSetEnv no-gzip 1',
    HAProxy: 'no option http-buffer-request\n# and no "compression" in this backend',
    Traefik:
      '# Remove the buffering and compress middlewares from this router.\nloadBalancer:\n  responseForwarding:\n    flushInterval: 1ms',
  }),
  timeout: fixesOf({
    nginx: 'proxy_read_timeout 3600s;\nproxy_send_timeout 3600s;',
    Caddy:
      'reverse_proxy 127.0.0.1:3001 {\n  transport http {\n    response_header_timeout 0\n    read_timeout 0\n  }\n}',
    Apache: 'ProxyTimeout 3600',
    HAProxy: 'timeout server 1h\ntimeout tunnel 1h',
    Traefik:
      '# Static configuration:\nentryPoints:\n  websecure:\n    transport:\n      respondingTimeouts:\n        readTimeout: 0\n        writeTimeout: 0\nserversTransport:\n  forwardingTimeouts:\n    responseHeaderTimeout: 0',
  }),
  webSocket: fixesOf({
    nginx:
      "proxy_http_version 1.1;\nproxy_set_header Upgrade $http_upgrade;\nproxy_set_header Connection $connection_upgrade;\n# and once, in the http block:\nmap $http_upgrade $connection_upgrade { default upgrade; '' close; }",
    Caddy: 'reverse_proxy 127.0.0.1:3001',
    Apache: 'ProxyPass / http://127.0.0.1:3001/ upgrade=websocket',
    HAProxy: 'timeout tunnel 1h\n# and no "option httpclose"',
    Traefik: '# Remove middlewares that set or drop the headers Upgrade and Connection.',
  }),
  body: fixesOf({
    nginx: 'client_max_body_size 256m;\nproxy_request_buffering off;',
    Caddy: 'request_body {\n  max_size 256MB\n}',
    Apache: 'LimitRequestBody 0',
    HAProxy: '# HAProxy sets no limit by itself: remove rules on "req.body_size".',
    Traefik: '# In the buffering middleware, or remove it:\nmaxRequestBodyBytes: 268435456',
  }),
  host: fixesOf({
    nginx: 'proxy_set_header Host $http_host;',
    Caddy: 'reverse_proxy 127.0.0.1:3001\n# and no "header_up Host"',
    Apache: 'ProxyPreserveHost On',
    HAProxy: '# Remove "http-request set-header Host".',
    Traefik: 'passHostHeader: true',
  }),
  forwardedFor: fixesOf({
    nginx: 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
    Caddy: 'reverse_proxy 127.0.0.1:3001\n# and no "header_up -X-Forwarded-For"',
    Apache: 'ProxyAddHeaders On',
    HAProxy: 'option forwardfor',
    Traefik: '# Sent by itself. Behind another proxy:\nforwardedHeaders:\n  trustedIPs: ["10.0.0.0/8"]',
  }),
  forwardedProto: fixesOf({
    nginx: 'proxy_set_header X-Forwarded-Proto $scheme;',
    Caddy: 'reverse_proxy 127.0.0.1:3001\n# and no "header_up -X-Forwarded-Proto"',
    Apache: 'RequestHeader set X-Forwarded-Proto "https"',
    HAProxy: 'http-request set-header X-Forwarded-Proto https if { ssl_fc }',
    Traefik: '# Sent by itself. Behind another proxy:\nforwardedHeaders:\n  trustedIPs: ["10.0.0.0/8"]',
  }),
} as const

/** A variable of Atrium's own environment. */
export const variableFix = (name: string, value: string): DoctorFix => ({
  program: 'environment',
  lines: `${name}=${value}`,
})
