# The service as an image: built in one stage, run in another that holds neither sources nor compiler.
#
#   docker build -t gammawall .
#   docker run --read-only --tmpfs /tmp -v gammawall:/data -p 8080-8082:8080-8082 gammawall
#
# The engine that keeps history in the process is left out (540 MB); compose.yaml puts a ClickHouse beside the service.
# To have it inside, build with --build-arg ENGINE=yes and start with --history embedded.

# The digest is that of the list of images for amd64 and arm64. `docker buildx imagetools inspect node:24-bookworm-slim`
# shows the newest one.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY dashboard/package.json ./dashboard/
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
RUN npm run build && node scripts/sbom.mjs > gammawall.cdx.json && npm prune --omit=dev --no-audit --no-fund
ARG ENGINE=no
RUN mkdir -p .engine && if [ "$ENGINE" = yes ]; then \
      node -e "import('./scripts/engine.mjs').then(({ fetchEngine }) => fetchEngine(process.cwd(), console.log))"; fi

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
# Without these glibc gives each thread an arena that keeps what was freed in it, large buffers too.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=32768 MALLOC_MMAP_MAX_=32768
WORKDIR /app
# Without the folder src the program takes itself for prepared and neither installs nor builds.
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/scripts ./scripts
COPY --from=build /app/dist/program ./dist/program
COPY --from=build /app/dist/dashboard ./dist/dashboard
COPY --from=build /app/dist/docs ./dist/docs
COPY --from=build /app/.engine ./.engine
# What the image runs, in CycloneDX.
COPY --from=build /app/gammawall.cdx.json ./
# Accounts and history are all that is written, so that the root file system may be read-only.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
# REST, replay, the stream. The admin port with /metrics stays inside unless --admin-host opens it.
EXPOSE 8080 8081 8082
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The process is number 1 and gets SIGTERM itself.
ENTRYPOINT ["node", "--max-semi-space-size=8", "--enable-source-maps", "scripts/gammawall.mjs"]
CMD ["serve", "--host", "0.0.0.0", "--data", "/data", "--history", "off"]
