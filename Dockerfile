# The server with its embedded ClickHouse (Linux x64).
FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4318 GRPC_PORT=4317 DATA_DIR=/data
WORKDIR /app
RUN install --directory --owner=node --group=node --mode=0700 /data
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json package-lock.json LICENSE THIRD-PARTY-NOTICES ./
COPY scripts/ensure-installed.mjs ./scripts/
COPY openapi ./openapi
COPY sql ./sql
COPY server ./server
COPY clients ./clients
COPY console ./console
RUN npm run build
USER node
VOLUME /data
EXPOSE 4317 4318
# Checks the process only: an unavailable store is no reason to restart it. Orchestrators should probe /readyz for readiness.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "server/launch/probe.mjs", "/healthz"]
# Node receives SIGTERM itself, so the server drains.
ENTRYPOINT ["node", "server/launch/run.mjs"]
CMD ["server/main.ts"]
