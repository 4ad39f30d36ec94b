# Atrium in a container: `docker build -t atrium .`, or for both kinds of machines
# `docker buildx build --platform linux/amd64,linux/arm64 -t atrium .`
# Packages come from the registry by the lockfile, and none of their install scripts is run.

# What is built is the same for all machines, so it is built on the one that builds.
FROM --platform=$BUILDPLATFORM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
COPY e2e/package.json e2e/
COPY tools/api/package.json tools/api/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.base.json ./
COPY contract contract
COPY server server
COPY web web
COPY tools tools
RUN node tools/build.mjs

# Packages with native code are those of the machine that it will run on.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
COPY e2e/package.json e2e/
COPY tools/api/package.json tools/api/
RUN npm ci --omit=dev --workspace server --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
RUN groupadd --gid 1001 atrium \
  && useradd --uid 1001 --gid 1001 --home-dir /data --no-create-home --shell /usr/sbin/nologin atrium \
  && install -d -m 0700 -o 1001 -g 1001 /data
# Two arenas of malloc: memory that reading many files took is given back. Sixteen threads for files, passwords and names
# of hosts: one that waits for a dead drive is not missed.
ENV HOST=0.0.0.0 DATA_DIR=/data MALLOC_ARENA_MAX=2 UV_THREADPOOL_SIZE=16
WORKDIR /app
COPY package.json package-lock.json LICENSE ./
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/server/dist server/dist
COPY --from=build /app/web/dist web/dist
USER 1001:1001
VOLUME /data
EXPOSE 3001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=6s --start-period=60s --retries=3 CMD ["node", "server/dist/health.js", "ready"]
CMD ["node", "server/dist/main.js"]
