# syntax=docker/dockerfile:1
# One image for every program: web (by default), worker, migrate, simulator, cli. docs/DEPLOY.md says how
# it is run, and how it was checked.
ARG NODE=20-bookworm-slim

# What the programs need while they run.
FROM node:${NODE} AS modules
WORKDIR /app
COPY package.json package-lock.json scripts/image/prune-modules.mjs ./
RUN npm ci --omit=dev --no-audit --no-fund && node prune-modules.mjs

FROM node:${NODE} AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# The key is part of the names of server actions: give the same one to every build whose servers stand
# beside each other. It comes as a secret, so that no layer has it as an argument.
RUN --mount=type=secret,id=server_actions_key,env=NEXT_SERVER_ACTIONS_ENCRYPTION_KEY \
    npm run -s build \
 && rm -rf .next/cache

FROM node:${NODE} AS runtime
WORKDIR /app
ENV NODE_ENV=production \
    NEXT_TELEMETRY_DISABLED=1 \
    WORKER=external \
    DATA_DIR=/data \
    PORT=3000
COPY --from=modules /app/node_modules ./node_modules
COPY --from=build /app/.next ./.next
COPY --from=build /app/app ./app
COPY --from=build /app/lib ./lib
COPY --from=build /app/messages ./messages
COPY --from=build /app/next.config.ts ./next.config.ts
COPY --from=build /app/package.json ./package.json
COPY --from=build /app/prisma/migrations ./prisma/migrations
COPY --from=build /app/public ./public
COPY --from=build /app/scripts ./scripts
COPY --from=build /app/simulator ./simulator
COPY --from=build /app/tsconfig.json ./tsconfig.json
COPY --from=build /app/web ./web
COPY --from=build /app/worker ./worker
# A volume that is mounted here the first time takes over this owner. The number, because a cluster that
# refuses root cannot look names up.
RUN mkdir /data && chown 10001:10001 /data
USER 10001:10001
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
  CMD ["node", "scripts/container-health.mjs"]
ENTRYPOINT ["node", "--import", "tsx", "scripts/container.ts"]
CMD ["web"]
